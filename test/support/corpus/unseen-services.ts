// Kinds of files in which people hand secrets around: the half that the authors of rules do not read.
import { file, kind, noQuote, type Kind } from './made.ts';

export const unseenKindsOfServices: readonly Kind[] = [
  // clouds
  kind(
    'AWS access keys CSV',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
    (r) => file('keys.csv', `Access key ID,Secret access key\r\n${r.awsId()},${r.awsSecret()}\r\n`),
  ),
  kind(
    'AWS session credentials as JSON',
    'https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html',
    (r) =>
      file(
        'assume.json',
        JSON.stringify(
          {
            Credentials: {
              AccessKeyId: r.awsId('ASIA'),
              SecretAccessKey: r.awsSecret(),
              SessionToken: r.base64(300),
              Expiration: '2025-03-12T10:00:00Z',
            },
          },
          null,
          4,
        ),
      ),
  ),
  kind('Google OAuth client', 'https://developers.google.com/identity/protocols/oauth2', (r) =>
    file(
      'oauth.json',
      JSON.stringify({
        installed: {
          client_id: `${r.digits(12)}-${r.lower(32)}.apps.googleusercontent.com`,
          project_id: 'quickstart',
          client_secret: `GOCSPX-${r.base64Url(28)}`,
          redirect_uris: ['http://localhost'],
        },
      }),
    ),
  ),
  kind('Google API key in a page', 'https://cloud.google.com/docs/authentication/api-keys', (r) =>
    file(
      'map.js',
      `const loader = new Loader({\n  apiKey: "AIza${r.base64Url(35)}",\n  version: "weekly",\n});\n`,
    ),
  ),
  kind(
    'gcloud default credentials',
    'https://cloud.google.com/docs/authentication/application-default-credentials',
    (r) =>
      file(
        'adc.json',
        JSON.stringify(
          {
            client_id: `${r.digits(12)}-${r.lower(32)}.apps.googleusercontent.com`,
            client_secret: `d-${r.base64Url(22)}`,
            refresh_token: `1//0${r.base64Url(90)}`,
            type: 'authorized_user',
          },
          null,
          2,
        ),
      ),
  ),
  kind(
    'Azure Functions settings',
    'https://learn.microsoft.com/azure/azure-functions/functions-develop-local',
    (r) =>
      file(
        'local.settings.json',
        JSON.stringify(
          {
            IsEncrypted: false,
            Values: {
              FUNCTIONS_WORKER_RUNTIME: 'node',
              AzureWebJobsStorage: `DefaultEndpointsProtocol=https;AccountName=${r.lower(10)};AccountKey=${r.base64(86)}==`,
            },
          },
          null,
          2,
        ),
      ),
  ),
  kind(
    'Alibaba Cloud key',
    'https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair',
    (r) =>
      file('AccessKey.csv', `AccessKey ID,AccessKey Secret\r\nLTAI5t${r.base62(18)},${r.base62(30)}\r\n`),
  ),
  kind('OVH API settings', 'https://github.com/ovh/python-ovh', (r) =>
    file(
      'ovh.conf',
      `[default]\nendpoint=ovh-eu\n\n[ovh-eu]\napplication_key=${r.hex(16)}\napplication_secret=${r.hex(32)}\nconsumer_key=${r.hex(32)}\n`,
    ),
  ),
  kind('Cloudflare token for certbot', 'https://certbot-dns-cloudflare.readthedocs.io/', (r) =>
    file(
      'cloudflare.ini',
      `# Cloudflare API token used by Certbot\ndns_cloudflare_api_token = ${r.base64Url(40)}\n`,
    ),
  ),
  // urls
  kind('JDBC URL', 'https://jdbc.postgresql.org/documentation/use/', (r) =>
    file(
      'jdbc.txt',
      `jdbc:postgresql://${r.host()}:5432/app?user=${r.user()}&password=${r.base62(14)}&ssl=true\n`,
    ),
  ),
  kind(
    'JDBC URL of SQL Server',
    'https://learn.microsoft.com/sql/connect/jdbc/building-the-connection-url',
    (r) =>
      file(
        'Db.java',
        `class Db {\n  static final String URL = "jdbc:sqlserver://${r.host()}:1433;databaseName=Shop;user=${r.user()};password=${r.password()};";\n}\n`,
      ),
  ),
  kind('MongoDB URL', 'https://www.mongodb.com/docs/manual/reference/connection-string/', (r) =>
    file(
      'mongo.js',
      `mongoose.connect('mongodb+srv://${r.user()}:${r.base62(16)}@cluster0.${r.lower(5)}.mongodb.net/shop?retryWrites=true');\n`,
    ),
  ),
  kind('Redis URL', 'https://www.iana.org/assignments/uri-schemes/prov/redis', (r) =>
    file('cache.yml', `cache:\n  url: redis://:${r.base62(24)}@${r.host()}:6379/0\n`),
  ),
  kind('git remote with a password', 'https://git-scm.com/docs/gitfaq', (r) =>
    file(
      'git.config',
      `[remote "origin"]\n\turl = https://${r.user()}:${r.base62(20)}@git.${r.host()}/team/shop.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
    ),
  ),
  // requests
  kind('curl with Basic', 'RFC 7617 §2', (r) =>
    file(
      'basic.sh',
      `curl -X POST https://${r.host()}/api \\\n  -H 'Authorization: Basic ${Buffer.from(`${r.user()}:${r.password()}`).toString('base64')}' \\\n  -d '{}'\n`,
    ),
  ),
  kind('curl with an own header', 'https://curl.se/docs/manpage.html#-H', (r) =>
    file('metrics.sh', `curl -H "X-Api-Key: ${r.hex(32)}" https://${r.host()}/metrics\n`),
  ),
  kind(
    'mysqldump with a password',
    'https://dev.mysql.com/doc/refman/8.4/en/password-security-user.html',
    (r) =>
      file('dump.sh', `#!/bin/sh\nmysqldump -u ${r.user()} -p'${r.password(noQuote)}' shop > shop.sql\n`),
  ),
  kind(
    'PowerShell credential',
    'https://learn.microsoft.com/powershell/module/microsoft.powershell.security/convertto-securestring',
    (r) =>
      file(
        'connect.ps1',
        `$pw = ConvertTo-SecureString "${r.password(noQuote)}" -AsPlainText -Force\r\n$cred = New-Object System.Management.Automation.PSCredential("CORP\\${r.user()}", $pw)\r\nInvoke-Command -Credential $cred -ComputerName srv1 { hostname }\r\n`,
      ),
  ),
  kind(
    'net use with a password',
    'https://learn.microsoft.com/previous-versions/windows/it-pro/windows-server-2012-r2-and-2012/gg651155(v=ws.11)',
    (r) =>
      file(
        'map.cmd',
        `@echo off\r\nnet use Z: \\\\srv1\\share /user:CORP\\${r.user()} ${r.password(noQuote)} /persistent:yes\r\n`,
      ),
  ),
  kind('HAR with a bearer', 'http://www.softwareishard.com/blog/har-12-spec/', (r) =>
    file(
      'session.har',
      JSON.stringify(
        {
          log: {
            version: '1.2',
            creator: { name: 'WebInspector', version: '537.36' },
            entries: [
              {
                request: {
                  method: 'GET',
                  url: `https://${r.host()}/api`,
                  headers: [
                    { name: 'Accept', value: '*/*' },
                    { name: 'Authorization', value: `Bearer ${r.jwt()}` },
                  ],
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
  kind('HAR with a login form', 'http://www.softwareishard.com/blog/har-12-spec/', (r) =>
    file(
      'login.har',
      JSON.stringify(
        {
          log: {
            version: '1.2',
            entries: [
              {
                request: {
                  method: 'POST',
                  url: `https://${r.host()}/login`,
                  postData: {
                    mimeType: 'application/x-www-form-urlencoded',
                    params: [
                      { name: 'username', value: r.user() },
                      { name: 'password', value: r.password() },
                    ],
                  },
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
    'Postman collection with Basic',
    'https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html',
    (r) =>
      file(
        'shop.postman_collection.json',
        JSON.stringify(
          {
            info: {
              name: 'shop',
              schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
            },
            auth: {
              type: 'basic',
              basic: [
                { key: 'password', value: r.password(), type: 'string' },
                { key: 'username', value: r.user(), type: 'string' },
              ],
            },
            item: [],
          },
          null,
          '\t',
        ),
      ),
  ),
  kind('OpenAPI with a real key as example', 'https://spec.openapis.org/oas/v3.1.0', (r) =>
    file(
      'openapi.yaml',
      `openapi: 3.1.0\ninfo: { title: Shop, version: '1' }\npaths:\n  /charges:\n    get:\n      parameters:\n        - in: header\n          name: X-API-Key\n          schema: { type: string }\n          example: ${r.stripe()}\n`,
    ),
  ),
  kind(
    'Jupyter notebook with a key',
    'https://nbformat.readthedocs.io/en/latest/format_description.html',
    (r) =>
      file(
        'model.ipynb',
        JSON.stringify(
          {
            cells: [
              {
                cell_type: 'code',
                source: ['import os\n', `os.environ["ANTHROPIC_API_KEY"] = "${r.anthropic()}"\n`],
                outputs: [],
              },
            ],
            nbformat: 4,
            nbformat_minor: 5,
          },
          null,
          1,
        ),
      ),
  ),
  kind(
    'shell history',
    'https://www.gnu.org/software/bash/manual/html_node/Bash-History-Facilities.html',
    (r) =>
      file(
        'history.txt',
        `ls -la\ncd /srv\nmysql -u root -p${r.base62(12)} shop\nexport PGPASSWORD=${r.base62(14)}\nexit\n`,
      ),
  ),
  // tokens
  kind(
    'Teams webhook',
    'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
    (r) =>
      file(
        'teams.txt',
        `https://contoso.webhook.office.com/webhookb2/${r.uuid()}@${r.uuid()}/IncomingWebhook/${r.hex(32)}/${r.uuid()}\n`,
      ),
  ),
  kind('Stripe webhook secret', 'https://docs.stripe.com/webhooks', (r) =>
    file('hook.js', `const endpointSecret = "whsec_${r.base62(32)}";\n`),
  ),
  kind(
    'GitHub classic token alone',
    'https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/',
    (r) => file('gh.txt', `${r.github('ghp_')}\n`),
  ),
  kind(
    'npm token in a note',
    'https://github.blog/2021-09-23-announcing-npms-new-access-token-format/',
    (r) => file('npm.txt', `publish token ${r.npm()} (expires in May)\n`),
  ),
  kind('Twilio token', 'https://www.twilio.com/docs/iam/api-keys', (r) =>
    file('sms.js', `const accountSid = 'AC${r.hex(32)}';\nconst authToken = '${r.hex(32)}';\n`),
  ),
  kind('Mailgun key', 'https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/', (r) =>
    file('mg.txt', `api:key-${r.hex(32)}\n`),
  ),
  kind(
    'DigitalOcean token',
    'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
    (r) => file('do.tf', `provider "digitalocean" {\n  token = "dop_v1_${r.hex(64)}"\n}\n`),
  ),
  kind(
    'Shopify token',
    'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens',
    (r) => file('shopify.rb', `ShopifyAPI::Session.new(access_token: "shpat_${r.hex(32)}")\n`),
  ),
  kind('OpenAI key', 'https://platform.openai.com/docs/api-reference/authentication', (r) =>
    file('chat.py', `client = OpenAI(api_key="${r.openAi()}")\n`),
  ),
  kind('Anthropic key', 'https://docs.anthropic.com/en/api/overview', (r) =>
    file('claude.ts', `const client = new Anthropic({ apiKey: '${r.anthropic()}' });\n`),
  ),
  kind('Hugging Face token', 'https://huggingface.co/docs/hub/security-tokens', (r) =>
    file('train.py', `login(token="hf_${r.letters(34)}")\n`),
  ),
  kind('Discord bot token', 'https://discord.com/developers/docs/reference#authentication', (r) =>
    file(
      'bot.js',
      `client.login('${Buffer.from(`1${r.digits(17)}`).toString('base64url')}.G${r.base62(5)}.${r.base64Url(38)}');\n`,
    ),
  ),
  kind(
    'Grafana service account token',
    'https://grafana.com/docs/grafana/latest/administration/service-accounts/',
    (r) =>
      file(
        'grafana.yml',
        `grafana:\n  url: https://${r.host()}\n  token: glsa_${r.base62(32)}_${r.hex(8)}\n`,
      ),
  ),
];
