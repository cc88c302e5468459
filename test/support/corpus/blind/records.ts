// Clouds, shells, requests, logs and services with a secret in them, written from the documents of their makers by an
// author who had not read the rules.
import { csvSafe, file, kind, noQuote, xmlSafe, type Kind } from '../made.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const blindRecords: readonly Kind[] = [
  // clouds
  kind(
    'AWS credentials of a session',
    'https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html',
    (r) =>
      file(
        'credentials',
        `[prod]\naws_access_key_id = ${r.awsId('ASIA')}\naws_secret_access_key = ${r.awsSecret()}\naws_session_token = ${r.base64(320)}\n`,
      ),
  ),
  kind(
    'AWS answer of assume-role',
    'https://docs.aws.amazon.com/cli/latest/reference/sts/assume-role.html',
    (r) =>
      file(
        'role.json',
        `${JSON.stringify({ Credentials: { AccessKeyId: r.awsId('ASIA'), SecretAccessKey: r.awsSecret(), SessionToken: r.base64(300), Expiration: '2026-03-12T10:00:00Z' } }, null, 4)}\n`,
      ),
  ),
  kind(
    'CSV of a new AWS user',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_users_create.html',
    (r) =>
      file(
        'new_user_credentials.csv',
        `User name,Password,Console sign-in URL\n${r.user()},${r.password(csvSafe)},https://${r.digits(12)}.signin.aws.amazon.com/console\n`,
      ),
  ),
  kind('service account of Google', 'https://cloud.google.com/iam/docs/keys-create-delete', (r) =>
    file(
      'key.json',
      `${JSON.stringify({ type: 'service_account', project_id: r.word(), private_key_id: r.hex(40), private_key: r.pem('PRIVATE KEY', 1216), client_email: `${r.word()}@${r.word()}.iam.gserviceaccount.com` }, null, 2)}\n`,
    ),
  ),
  kind('Google client of an app', 'https://developers.google.com/identity/protocols/oauth2/native-app', (r) =>
    file(
      'client_secret.json',
      `${JSON.stringify({ installed: { client_id: `${r.digits(12)}-${r.lower(32)}.apps.googleusercontent.com`, project_id: r.word(), client_secret: `GOCSPX-${r.base64Url(28)}` } })}\n`,
    ),
  ),
  kind(
    'Google refresh token',
    'https://google-auth.readthedocs.io/en/stable/reference/google.oauth2.credentials.html',
    (r) =>
      file(
        'token.json',
        `${JSON.stringify({ token: `ya29.${r.base64Url(180)}`, refresh_token: `1//0${r.base64Url(98)}`, token_uri: 'https://oauth2.googleapis.com/token' })}\n`,
      ),
  ),
  kind('Azure principal', 'https://learn.microsoft.com/cli/azure/azure-cli-sp-tutorial-1', (r) =>
    file(
      'principal.json',
      `${JSON.stringify({ appId: r.uuid(), displayName: r.word(), password: `${r.base62(3)}8Q~${r.base62(34)}`, tenant: r.uuid() }, null, 2)}\n`,
    ),
  ),
  kind(
    'Azure publish profile',
    'https://learn.microsoft.com/azure/app-service/deploy-configure-credentials',
    (r) =>
      file(
        'site.PublishSettings',
        `<publishData><publishProfile profileName="${r.word()} - FTP" publishMethod="FTP" publishUrl="ftps://${r.host()}" userName="$${r.word()}" userPWD="${r.base62(60)}" /></publishData>\n`,
      ),
  ),
  kind(
    'Azure shared access signature',
    'https://learn.microsoft.com/azure/storage/common/storage-sas-overview',
    (r) =>
      file(
        'link.txt',
        `https://${r.word()}.blob.core.windows.net/data?sv=2022-11-02&ss=b&srt=co&sp=rwdl&se=2027-01-01T00:00:00Z&st=2026-01-01T00:00:00Z&spr=https&sig=${encodeURIComponent(`${r.base64(43)}=`)}\n`,
      ),
  ),
  kind('doctl', 'https://docs.digitalocean.com/reference/doctl/', (r) =>
    file('config.yaml', `access-token: dop_v1_${r.hex(64)}\noutput: text\ncontext: default\n`),
  ),
  kind(
    'OpenStack clouds',
    'https://docs.openstack.org/python-openstackclient/latest/configuration/index.html',
    (r) =>
      file(
        'clouds.yaml',
        `clouds:\n  prod:\n    auth:\n      auth_url: https://${r.host()}:5000/v3\n      username: ${r.user()}\n      password: ${r.base62(16)}\n      project_name: ${r.word()}\n`,
      ),
  ),
  kind('hcloud', 'https://github.com/hetznercloud/cli', (r) =>
    file(
      'cli.toml',
      `active_context = "prod"\n\n[[contexts]]\n  name = "prod"\n  token = "${r.base62(64)}"\n`,
    ),
  ),
  kind('OVH', 'https://github.com/ovh/python-ovh', (r) =>
    file(
      'ovh.conf',
      `[ovh-eu]\napplication_key=${r.base62(16)}\napplication_secret=${r.base62(32)}\nconsumer_key=${r.base62(32)}\n`,
    ),
  ),
  // shells and requests
  kind(
    'history of bash',
    'https://www.gnu.org/software/bash/manual/html_node/Bash-History-Facilities.html',
    (r) =>
      file('.bash_history', `cd /srv\nls -la\nmysql -u root -p${r.base62(12)} ${r.word()}\ngit status\n`),
  ),
  kind('history of zsh', 'https://zsh.sourceforge.io/Doc/Release/Options.html#History', (r) =>
    file(
      '.zsh_history',
      `: 1764000000:0;git pull\n: 1764000005:0;export OPENAI_API_KEY=${r.openAi()}\n: 1764000009:0;exit\n`,
    ),
  ),
  kind('history with sshpass', 'https://linux.die.net/man/1/sshpass', (r) =>
    file(
      'history.txt',
      `  501  ls\n  502  sshpass -p '${r.password(noQuote)}' ssh ${r.user()}@${r.host()}\n  503  exit\n`,
    ),
  ),
  kind('history with docker login', 'https://docs.docker.com/reference/cli/docker/login/', (r) =>
    file('history', `docker ps\ndocker login -u ${r.user()} -p ${r.base62(16)} ${r.host()}\n`),
  ),
  kind('curl with a private token', 'https://docs.gitlab.com/api/rest/authentication/', (r) =>
    file('call.sh', `curl --header "PRIVATE-TOKEN: ${r.base62(20)}" "https://${r.host()}/api/v4/projects"\n`),
  ),
  kind('curl with a form', 'https://curl.se/docs/manpage.html#-d', (r) =>
    file(
      'token.sh',
      `curl -X POST https://${r.host()}/oauth/token -d grant_type=client_credentials -d client_id=${r.word()} -d client_secret=${r.base62(32)}\n`,
    ),
  ),
  kind('curl with JSON', 'https://curl.se/docs/manpage.html#--json', (r) =>
    file(
      'login.sh',
      `curl --json '{"email":"${r.email()}","password":"${r.password(noQuote)}"}' https://${r.host()}/login\n`,
    ),
  ),
  kind('wget', 'https://www.gnu.org/software/wget/manual/wget.html', (r) =>
    file('get.sh', `wget --user=${r.user()} --password='${r.password(noQuote)}' https://${r.host()}/a.iso\n`),
  ),
  kind('httpie', 'https://httpie.io/docs/cli/authentication', (r) =>
    file('notes.md', `    http -a ${r.user()}:${r.base62(14)} https://${r.host()}/me\n`),
  ),
  kind('git remote', 'https://git-scm.com/docs/gitcredentials', (r) =>
    file(
      'config',
      `[core]\n\tbare = false\n[remote "origin"]\n\turl = https://oauth2:glpat-${r.base64Url(20)}@${r.host()}/a/b.git\n`,
    ),
  ),
  kind('git credentials', 'https://git-scm.com/docs/git-credential-store', (r) =>
    file('.git-credentials', `https://${r.user()}:${r.base62(20)}@${r.host()}\n`),
  ),
  kind('npmrc', 'https://docs.npmjs.com/cli/v10/configuring-npm/npmrc', (r) =>
    file('.npmrc', `@acme:registry=https://${r.host()}/\n//${r.host()}/:_authToken=${r.uuid()}\n`),
  ),
  kind('npmrc of older days', 'https://docs.npmjs.com/cli/v8/configuring-npm/npmrc', (r) =>
    file('.npmrc', `//${r.host()}/:username=${r.user()}\n//${r.host()}/:_password=${base64(r.base62(18))}\n`),
  ),
  kind('pip', 'https://pip.pypa.io/en/stable/topics/authentication/', (r) =>
    file('pip.conf', `[global]\nindex-url = https://${r.user()}:${r.base62(20)}@${r.host()}/simple\n`),
  ),
  kind('cargo', 'https://doc.rust-lang.org/cargo/reference/registry-authentication.html', (r) =>
    file('credentials.toml', `[registry]\ntoken = "cio${r.base62(32)}"\n`),
  ),
  kind('composer', 'https://getcomposer.org/doc/articles/authentication-for-private-packages.md', (r) =>
    file(
      'auth.json',
      `${JSON.stringify({ 'http-basic': { [r.host()]: { username: r.user(), password: r.base62(20) } } }, null, 4)}\n`,
    ),
  ),
  kind('gem', 'https://guides.rubygems.org/api-key-scopes/', (r) =>
    file('credentials', `---\n:rubygems_api_key: rubygems_${r.hex(48)}\n`),
  ),
  kind('gh', 'https://cli.github.com/manual/gh_auth_login', (r) =>
    file(
      'hosts.yml',
      `github.com:\n    user: ${r.user()}\n    oauth_token: ${r.github('gho_')}\n    git_protocol: https\n`,
    ),
  ),
  kind('HAR', 'http://www.softwareishard.com/blog/har-12-spec/', (r) =>
    file(
      'page.har',
      `${JSON.stringify(
        {
          log: {
            version: '1.2',
            entries: [
              {
                request: {
                  method: 'GET',
                  url: `https://${r.host()}/`,
                  headers: [
                    { name: 'Accept', value: '*/*' },
                    { name: 'Authorization', value: `Bearer ${r.base62(48)}` },
                  ],
                },
              },
            ],
          },
        },
        null,
        2,
      )}\n`,
    ),
  ),
  kind('HAR with a form', 'http://www.softwareishard.com/blog/har-12-spec/', (r) =>
    file(
      'login.har',
      `${JSON.stringify({
        log: {
          entries: [
            {
              request: {
                method: 'POST',
                postData: {
                  mimeType: 'application/x-www-form-urlencoded',
                  params: [
                    { name: 'user', value: r.user() },
                    { name: 'password', value: r.password() },
                  ],
                },
              },
            },
          ],
        },
      })}\n`,
    ),
  ),
  kind('HAR with a cookie', 'http://www.softwareishard.com/blog/har-12-spec/', (r) =>
    file(
      'session.har',
      `${JSON.stringify({ log: { entries: [{ request: { cookies: [{ name: 'sessionid', value: r.lower(32), httpOnly: true, secure: true }] } }] } })}\n`,
    ),
  ),
  kind(
    'Postman with basic auth',
    'https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html',
    (r) =>
      file(
        'api.postman_collection.json',
        `${JSON.stringify(
          {
            info: { name: r.word() },
            auth: {
              type: 'basic',
              basic: [
                { key: 'username', value: r.user(), type: 'string' },
                { key: 'password', value: r.password(), type: 'string' },
              ],
            },
          },
          null,
          2,
        )}\n`,
      ),
  ),
  kind(
    'Postman environment',
    'https://learning.postman.com/docs/sending-requests/variables/environment-variables/',
    (r) =>
      file(
        'prod.postman_environment.json',
        `${JSON.stringify({
          name: 'prod',
          values: [
            { key: 'base', value: `https://${r.host()}`, enabled: true },
            { key: 'accessToken', value: r.base62(40), type: 'secret', enabled: true },
          ],
        })}\n`,
      ),
  ),
  kind('Insomnia', 'https://docs.insomnia.rest/insomnia/import-export-data', (r) =>
    file(
      'insomnia.json',
      `${JSON.stringify({ _type: 'export', resources: [{ _type: 'request', authentication: { type: 'bearer', token: r.base62(40) } }] })}\n`,
    ),
  ),
  kind('HTTP file', 'https://www.jetbrains.com/help/idea/http-client-in-product-code-editor.html', (r) =>
    file(
      'api.http',
      `### me\nGET https://${r.host()}/me\nX-Auth-Token: ${r.hex(40)}\nAccept: application/json\n`,
    ),
  ),
  kind('log with a web token', 'https://www.rfc-editor.org/rfc/rfc7519', (r) =>
    file(
      'app.log',
      `2026-03-12T10:00:00Z INFO start\n2026-03-12T10:00:01Z DEBUG token=${r.jwt()} user=${r.user()}\n`,
    ),
  ),
  kind('access log with a token', 'https://nginx.org/en/docs/http/ngx_http_log_module.html', (r) =>
    file(
      'access.log',
      `10.0.0.${r.digits(2)} - - [12/Mar/2026:10:00:00 +0000] "GET /api/items?access_token=${r.base62(40)} HTTP/1.1" 200 512 "-" "curl/8"\n`,
    ),
  ),
  kind('log with an environment', 'https://docs.python.org/3/library/os.html#os.environ', (r) =>
    file(
      'trace.log',
      `ERROR worker failed\nenv={'PATH': '/usr/bin', 'LANG': 'C', 'DB_PASSWORD': '${r.password(noQuote)}', 'HOME': '/root'}\n`,
    ),
  ),
  kind('phpinfo', 'https://www.php.net/manual/function.phpinfo.php', (r) =>
    file(
      'info.html',
      `<table><tr><td class="e">APP_ENV </td><td class="v">prod </td></tr>\n<tr><td class="e">DB_PASSWORD </td><td class="v">${r.password(xmlSafe)} </td></tr></table>\n`,
    ),
  ),
  kind('notebook', 'https://nbformat.readthedocs.io/en/latest/format_description.html', (r) =>
    file(
      'a.ipynb',
      `${JSON.stringify({ cells: [{ cell_type: 'code', source: ['import openai\n', `openai.api_key = "${r.openAi()}"\n`], outputs: [] }], nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`,
    ),
  ),
  kind('notebook with a database', 'https://nbformat.readthedocs.io/en/latest/format_description.html', (r) =>
    file(
      'b.ipynb',
      `${JSON.stringify({ cells: [{ cell_type: 'code', source: [`engine = create_engine('mysql+pymysql://${r.user()}:${r.base62(12)}@${r.host()}/${r.word()}')\n`] }], nbformat: 4 })}\n`,
    ),
  ),
  // webhooks and tokens of services
  kind('webhook of Slack', 'https://api.slack.com/messaging/webhooks', (r) =>
    file(
      'notify.py',
      `URL = "https://hooks.slack.com/services/T${r.upper(8)}/B${r.upper(10)}/${r.base62(24)}"\n`,
    ),
  ),
  kind('webhook of Discord', 'https://discord.com/developers/docs/resources/webhook', (r) =>
    file('bot.txt', `https://discord.com/api/webhooks/${r.digits(18)}/${r.base64Url(68)}\n`),
  ),
  kind(
    'webhook of Teams',
    'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/',
    (r) =>
      file(
        'teams.txt',
        `https://${r.word()}.webhook.office.com/webhookb2/${r.uuid()}@${r.uuid()}/IncomingWebhook/${r.hex(32)}/${r.uuid()}\n`,
      ),
  ),
  kind('webhook of Google Chat', 'https://developers.google.com/workspace/chat/quickstart/webhooks', (r) =>
    file(
      'chat.txt',
      `https://chat.googleapis.com/v1/spaces/${r.base62(11)}/messages?key=AIza${r.base64Url(35)}&token=${r.base64Url(43)}\n`,
    ),
  ),
  kind('bot of Telegram', 'https://core.telegram.org/bots/api', (r) =>
    file('bot.sh', `curl https://api.telegram.org/bot${r.telegram()}/getMe\n`),
  ),
  kind('Stripe', 'https://docs.stripe.com/keys', (r) => file('pay.rb', `Stripe.api_key = '${r.stripe()}'\n`)),
  kind('Sentry and its auth token', 'https://docs.sentry.io/cli/configuration/', (r) =>
    file('.sentryclirc', `[auth]\ntoken=${r.hex(64)}\n[defaults]\nproject=${r.word()}\n`),
  ),
  kind('Twilio', 'https://www.twilio.com/docs/usage/api', (r) =>
    file('sms.js', `const accountSid = 'AC${r.hex(32)}';\nconst authToken = '${r.hex(32)}';\n`),
  ),
  kind('Datadog', 'https://docs.datadoghq.com/agent/configuration/', (r) =>
    file('datadog.yaml', `api_key: ${r.hex(32)}\nsite: datadoghq.eu\n`),
  ),
  kind('Hugging Face', 'https://huggingface.co/docs/hub/security-tokens', (r) =>
    file('run.py', `login(token="hf_${r.letters(34)}")\n`),
  ),
];
