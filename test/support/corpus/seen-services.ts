// Kinds of files in which people hand secrets around: the half that the rules are written with.
import { bytes, file, kind, noQuote, utf16, type Kind } from './made.ts';

export const seenKindsOfServices: readonly Kind[] = [
  // clouds
  kind(
    'AWS credentials CSV of a new user',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_users_create.html',
    (r) =>
      file(
        'new_user.csv',
        `\ufeffUser name,Password,Access key ID,Secret access key,Console login link\r\n${r.user()},,${r.awsId()},${r.awsSecret()},https://${r.digits(12)}.signin.aws.amazon.com/console\r\n`,
      ),
  ),
  kind(
    'AWS console password CSV',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_passwords_admin-change-user.html',
    (r) =>
      file(
        'console.csv',
        `User name,Password,Console sign-in URL\r\n${r.user()},${r.password()},https://${r.digits(12)}.signin.aws.amazon.com/console\r\n`,
      ),
  ),
  kind(
    'AWS credentials file',
    'https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html',
    (r) =>
      file(
        'aws.ini',
        `[default]\naws_access_key_id = ${r.awsId()}\naws_secret_access_key = ${r.awsSecret()}\nregion = eu-central-1\n`,
      ),
  ),
  kind('GCP service account', 'https://cloud.google.com/iam/docs/keys-create-delete', (r) =>
    file(
      'project.json',
      JSON.stringify(
        {
          type: 'service_account',
          project_id: `demo-${r.digits(6)}`,
          private_key_id: r.hex(40),
          private_key: `${r.pem('PRIVATE KEY', 1200)}\n`,
          client_email: `svc@demo-${r.digits(6)}.iam.gserviceaccount.com`,
          client_id: r.digits(21),
          token_uri: 'https://oauth2.googleapis.com/token',
        },
        null,
        2,
      ),
    ),
  ),
  kind(
    'Azure storage connection string',
    'https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string',
    (r) =>
      file(
        'storage.txt',
        `DefaultEndpointsProtocol=https;AccountName=${r.lower(12)};AccountKey=${r.base64(86)}==;EndpointSuffix=core.windows.net\n`,
      ),
  ),
  kind('Azure SAS link', 'https://learn.microsoft.com/azure/storage/common/storage-sas-overview', (r) =>
    file(
      'link.txt',
      `https://${r.lower(10)}.blob.core.windows.net/backups?sv=2022-11-02&ss=b&srt=sco&sp=rwdlac&se=2026-01-01T00:00:00Z&st=2025-01-01T00:00:00Z&spr=https&sig=${encodeURIComponent(`${r.base64(43)}=`)}\n`,
    ),
  ),
  kind('Azure service principal', 'https://learn.microsoft.com/cli/azure/ad/sp', (r) =>
    file(
      'principal.json',
      JSON.stringify(
        {
          appId: r.uuid(),
          displayName: `azure-cli-${r.digits(4)}`,
          password: `${r.base62(3)}8Q~${r.base64Url(34)}`,
          tenant: r.uuid(),
        },
        null,
        2,
      ),
    ),
  ),
  kind(
    'Azure publish settings',
    'https://learn.microsoft.com/visualstudio/azure/how-to-get-publish-profile-from-azure-app-service',
    (r) =>
      file(
        'site.PublishSettings',
        `<publishData><publishProfile profileName="site - Web Deploy" publishMethod="MSDeploy" publishUrl="site.scm.azurewebsites.net:443" msdeploySite="site" userName="$site" userPWD="${r.base62(60)}" destinationAppUrl="https://site.azurewebsites.net" /></publishData>\n`,
      ),
  ),
  kind(
    'Azure service bus in appsettings',
    'https://learn.microsoft.com/azure/service-bus-messaging/service-bus-dotnet-get-started-with-queues',
    (r) =>
      file(
        'appsettings.Production.json',
        JSON.stringify(
          {
            Logging: { LogLevel: { Default: 'Information' } },
            ServiceBus: {
              ConnectionString: `Endpoint=sb://${r.lower(8)}.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=${r.base64(43)}=`,
            },
          },
          null,
          2,
        ),
      ),
  ),
  // urls
  kind(
    'ODBC connection string',
    'https://learn.microsoft.com/sql/relational-databases/native-client/applications/using-connection-string-keywords-with-sql-server-native-client',
    (r) =>
      file(
        'report.vbs',
        `Set conn = CreateObject("ADODB.Connection")\r\nconn.Open "Driver={ODBC Driver 17 for SQL Server};Server=${r.host()};Database=Sales;Uid=${r.user()};Pwd=${r.password()};"\r\n`,
      ),
  ),
  kind(
    'ADO in a UDL file',
    'https://learn.microsoft.com/sql/connect/oledb/help-topics/data-link-pages',
    (r) =>
      bytes(
        'sales.udl',
        utf16(
          `[oledb]\r\n; Everything after this line is an OLE DB initstring\r\nProvider=MSOLEDBSQL;Password=${r.password()};Persist Security Info=True;User ID=${r.user()};Data Source=${r.host()}\r\n`,
        ),
      ),
  ),
  kind('AMQP URL', 'https://www.rabbitmq.com/docs/uri-spec', (r) =>
    file(
      'queue.py',
      `connection = pika.BlockingConnection(pika.URLParameters('amqps://${r.user()}:${r.base62(18)}@${r.host()}/vhost'))\n`,
    ),
  ),
  kind('FTP link in a note', 'RFC 1738 §3.2', (r) =>
    file(
      'upload.txt',
      `Please upload the pictures to\nftp://${r.user()}:${r.base62(10)}@${r.host()}/pictures\n`,
    ),
  ),
  // requests
  kind('curl with Bearer', 'RFC 6750 §2.1, https://curl.se/docs/manpage.html', (r) =>
    file(
      'call.sh',
      `#!/bin/sh\ncurl -s -H "Authorization: Bearer ${r.base62(40)}" https://api.${r.host()}/v1/items\n`,
    ),
  ),
  kind('curl with a user', 'https://curl.se/docs/manpage.html#-u', (r) =>
    file(
      'backup.sh',
      `#!/bin/bash\ncurl -u ${r.user()}:${r.base62(14)} -T dump.sql https://${r.host()}/backup/\n`,
    ),
  ),
  kind('wget with a password', 'https://www.gnu.org/software/wget/manual/wget.html', (r) =>
    file(
      'get.sh',
      `wget --user=${r.user()} --password='${r.password(noQuote)}' https://${r.host()}/export.zip\n`,
    ),
  ),
  kind('sshpass in a script', 'https://manpages.debian.org/bookworm/sshpass/sshpass.1.en.html', (r) =>
    file('copy.sh', `sshpass -p '${r.password(noQuote)}' scp build.tgz ${r.user()}@${r.host()}:/srv/\n`),
  ),
  kind('JWT in a log', 'RFC 7519', (r) =>
    file(
      'app.log',
      `2025-03-12T10:00:00Z INFO start\n2025-03-12T10:00:01Z DEBUG auth header: Bearer ${r.jwt()}\n`,
    ),
  ),
  kind('JWT in a JSON answer', 'RFC 6749 §5.1', (r) =>
    file(
      'token.json',
      JSON.stringify({
        access_token: r.jwt(),
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: r.base64Url(60),
      }),
    ),
  ),
  kind('HAR with a cookie', 'http://www.softwareishard.com/blog/har-12-spec/', (r) =>
    file(
      'page.har',
      JSON.stringify(
        {
          log: {
            version: '1.2',
            entries: [
              {
                request: {
                  method: 'GET',
                  url: `https://${r.host()}/`,
                  headers: [{ name: 'Cookie', value: `lang=en; sessionid=${r.lower(32)}` }],
                  cookies: [{ name: 'sessionid', value: r.lower(32), httpOnly: true }],
                },
              },
            ],
          },
        },
        null,
        2,
      ),
    ),
  ),
  kind(
    'Postman environment',
    'https://learning.postman.com/docs/sending-requests/variables/variables/',
    (r) =>
      file(
        'prod.postman_environment.json',
        JSON.stringify(
          {
            id: r.uuid(),
            name: 'prod',
            values: [
              { key: 'baseUrl', value: `https://${r.host()}`, enabled: true },
              { key: 'api_key', value: r.base62(32), type: 'secret', enabled: true },
            ],
          },
          null,
          '\t',
        ),
      ),
  ),
  kind('Insomnia export', 'https://docs.insomnia.rest/insomnia/import-export-data', (r) =>
    file(
      'Insomnia.json',
      JSON.stringify({
        _type: 'export',
        __export_format: 4,
        resources: [
          {
            _id: `req_${r.hex(32)}`,
            url: `https://${r.host()}`,
            method: 'GET',
            authentication: { type: 'bearer', token: r.base62(40) },
            _type: 'request',
          },
        ],
      }),
    ),
  ),
  kind('HTTP file of an editor', 'https://learn.microsoft.com/aspnet/core/test/http-files', (r) =>
    file(
      'api.http',
      `### list\nGET https://${r.host()}/items\nAuthorization: Bearer ${r.base62(48)}\nAccept: application/json\n`,
    ),
  ),
  kind(
    'Python requests with a token',
    'https://requests.readthedocs.io/en/latest/user/quickstart/#custom-headers',
    (r) =>
      file(
        'fetch.py',
        `import requests\n\nheaders = {"Authorization": "Token ${r.hex(40)}"}\nprint(requests.get("https://${r.host()}/api", headers=headers).json())\n`,
      ),
  ),
  // tokens
  kind('Slack webhook', 'https://api.slack.com/messaging/webhooks', (r) =>
    file(
      'notify.sh',
      `curl -X POST -d '{"text":"done"}' https://hooks.slack.com/services/T${r.upper(8)}/B${r.upper(10)}/${r.base62(24)}\n`,
    ),
  ),
  kind('Stripe key', 'https://docs.stripe.com/keys', (r) =>
    file('pay.rb', `Stripe.api_key = '${r.stripe()}'\n`),
  ),
  kind(
    'GitHub fine-grained token',
    'https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/',
    (r) => file('token.txt', `github_pat_${r.base62(22)}_${r.base62(59)}\n`),
  ),
  kind('GitLab token', 'https://docs.gitlab.com/security/tokens/', (r) =>
    file('gl.md', `Use this token: \`glpat-${r.base64Url(20)}\`\n`),
  ),
  kind('PyPI token in a script', 'https://pypi.org/help/#apitoken', (r) =>
    file('publish.sh', `twine upload -u __token__ -p ${r.pypi()} dist/*\n`),
  ),
  kind('SendGrid key', 'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys', (r) =>
    file('mail.py', `sg = SendGridAPIClient("SG.${r.base64Url(22)}.${r.base64Url(43)}")\n`),
  ),
  kind('Heroku key', 'https://devcenter.heroku.com/articles/authentication', (r) =>
    file('heroku.sh', `HEROKU_API_KEY=${r.uuid()} git push heroku main\n`),
  ),
  kind('Telegram bot token', 'https://core.telegram.org/bots/api#authorizing-your-bot', (r) =>
    file('bot.py', `bot = telebot.TeleBot("${r.telegram()}")\n`),
  ),
  kind('Databricks token', 'https://docs.databricks.com/aws/en/dev-tools/auth/pat', (r) =>
    file(
      'databricks.cfg',
      `[DEFAULT]\nhost = https://${r.lower(8)}.cloud.databricks.com\ntoken = dapi${r.hex(32)}\n`,
    ),
  ),
  kind(
    'Atlassian token',
    'https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/',
    (r) =>
      file(
        'jira.sh',
        `curl --user ${r.email()}:ATATT3xFfGF0${r.base64Url(171)}=${r.hex(8).toUpperCase()} https://acme.atlassian.net/rest/api/3/issue\n`,
      ),
  ),
  kind('Vault token', 'https://developer.hashicorp.com/vault/docs/concepts/tokens', (r) =>
    file(
      'vault.sh',
      `export VAULT_ADDR=https://${r.host()}:8200\nexport VAULT_TOKEN=hvs.${r.base64Url(92)}\n`,
    ),
  ),
  kind('Sentry token', 'https://docs.sentry.io/account/auth-tokens/', (r) =>
    file(
      'sentry.properties',
      `defaults.url=https://sentry.io/\ndefaults.org=acme\nauth.token=sntrys_${Buffer.from(JSON.stringify({ iat: 1, url: 'https://sentry.io' })).toString('base64')}_${r.base64(43)}\n`,
    ),
  ),
  kind('Dropbox token', 'https://www.dropbox.com/developers/documentation/http/documentation', (r) =>
    file('dropbox.py', `dbx = dropbox.Dropbox('sl.B${r.base64Url(135)}')\n`),
  ),
];
