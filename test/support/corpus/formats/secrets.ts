// Secrets as the documents of their makers show them, one line for each format. Written from those documents before the
// rules were read, and measured once before a rule was changed for it.
import { base32, file, kind, noQuote, utf16, bytes, type Kind, type Made } from '../made.ts';

const of = (name: string, source: string, fileName: string, text: (made: Made) => string): Kind =>
  kind(name, source, (made) => file(fileName, text(made)));

/** A value that a random base64 key has once in 64: it begins like a path. */
const slashed = (made: Made, count: number): string => `/${made.base64(count - 1)}`;

const basic = (made: Made): string => Buffer.from(`${made.user()}:${made.password()}`).toString('base64');

// prettier-ignore
export const formatSecrets: readonly Kind[] = [
  // ------------------------------------------------ tokens of services, alone in a text
  of('GitHub fine-grained token', 'docs.github.com: token formats', 'notes.txt', (r) => `for the build:\ngithub_pat_${r.base62(22)}_${r.base62(59)}\n`),
  of('GitHub server token', 'docs.github.com: token formats', 'ci.log', (r) => `using ${r.github('ghs_')} for checkout\n`),
  of('GitLab personal token', 'docs.gitlab.com: token overview', 'readme.md', (r) => `Clone with \`glpat-${r.base64Url(20)}\`.\n`),
  of('GitLab runner token', 'docs.gitlab.com: token overview', 'config.toml', (r) => `[[runners]]\n  name = "${r.word()}"\n  url = "https://${r.host()}"\n  token = "glrt-${r.base64Url(20)}"\n`),
  of('AWS secret that begins like a path', 'docs.aws.amazon.com: configuration files', 'aws.txt', (r) => `[default]\naws_access_key_id = ${r.awsId()}\naws_secret_access_key = ${slashed(r, 40)}\n`),
  of('AWS temporary credentials', 'docs.aws.amazon.com: sts get-session-token', 'session.json', (r) => JSON.stringify({ Credentials: { AccessKeyId: r.awsId('ASIA'), SecretAccessKey: r.awsSecret(), SessionToken: r.base64(300) } }, null, 2)),
  of('Google API key', 'cloud.google.com: API keys', 'map.html', (r) => `<script src="https://maps.googleapis.com/maps/api/js?key=AIza${r.base64Url(35)}"></script>\n`),
  of('Google refresh token', 'developers.google.com: OAuth 2.0', 'adc.json', (r) => JSON.stringify({ client_id: `${r.digits(12)}-${r.lower(32)}.apps.googleusercontent.com`, client_secret: `GOCSPX-${r.base64Url(28)}`, refresh_token: `1//0${r.base64Url(99)}`, type: 'authorized_user' })),
  of('Azure storage connection', 'learn.microsoft.com: storage connection string', 'appsettings.json', (r) => `{"Storage":"DefaultEndpointsProtocol=https;AccountName=${r.word()};AccountKey=${r.base64(86)}==;EndpointSuffix=core.windows.net"}\n`),
  of('Azure storage key that begins like a path', 'learn.microsoft.com: storage account keys', 'deploy.sh', (r) => `export AZURE_STORAGE_KEY="${slashed(r, 86)}=="\n`),
  of('Azure shared access signature', 'learn.microsoft.com: service SAS', 'link.txt', (r) => `https://${r.word()}.blob.core.windows.net/data?sv=2024-05-04&sp=rwdl&se=2027-01-01T00:00:00Z&sr=c&sig=${encodeURIComponent(`${r.base64(43)}=`)}\n`),
  of('Service Bus connection', 'learn.microsoft.com: Service Bus', 'local.settings.json', (r) => `{"Values":{"Bus":"Endpoint=sb://${r.word()}.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=${r.base64(43)}="}}\n`),
  of('Stripe restricted key', 'docs.stripe.com: keys', 'pay.py', (r) => `stripe.api_key = "rk_live_${r.base62(99)}"\n`),
  of('Stripe webhook secret', 'docs.stripe.com: webhooks', 'hook.ts', (r) => `const endpointSecret = 'whsec_${r.base62(32)}';\n`),
  of('Slack webhook', 'api.slack.com: incoming webhooks', 'alert.sh', (r) => `curl -d '{"text":"up"}' https://hooks.slack.com/services/T${r.upper(10)}/B${r.upper(10)}/${r.base62(24)}\n`),
  of('Slack app token', 'api.slack.com: token types', 'bot.env.txt', (r) => `SLACK_APP=xapp-1-A${r.upper(10)}-${r.digits(13)}-${r.hex(64)}\n`),
  of('Discord webhook', 'discord.com/developers: webhook', 'notify.yml', (r) => `url: https://discord.com/api/webhooks/${r.digits(19)}/${r.base64Url(68)}\n`),
  of('Discord bot token', 'discord.com/developers: reference', 'bot.js', (r) => `client.login('${Buffer.from(`1${r.digits(17)}`).toString('base64url')}.G${r.base64Url(5)}.${r.base64Url(38)}');\n`),
  of('Telegram bot', 'core.telegram.org: bots', 'bot.py', (r) => `app = Application.builder().token("${r.telegram()}").build()\n`),
  of('SendGrid', 'docs.sendgrid.com: API keys', 'mail.rb', (r) => `sg = SendGrid::API.new(api_key: 'SG.${r.base64Url(22)}.${r.base64Url(43)}')\n`),
  of('Mailgun', 'documentation.mailgun.com', 'mail.sh', (r) => `curl -s --user 'api:key-${r.hex(32)}' https://api.mailgun.net/v3/\n`),
  of('Twilio', 'twilio.com/docs: API keys', 'sms.py', (r) => `client = Client("AC${r.hex(32)}", "${r.hex(32)}")\nauth_token = "${r.hex(32)}"\n`),
  of('OpenAI project key', 'platform.openai.com: keys', 'chat.ipynb', (r) => `{"cells":[{"source":["client = OpenAI(api_key=\\"${r.openAi()}\\")"]}]}\n`),
  of('Anthropic key', 'docs.anthropic.com', 'run.sh', (r) => `ANTHROPIC_API_KEY=${r.anthropic()} ./run\n`),
  of('Hugging Face', 'huggingface.co/docs: user access tokens', 'train.py', (r) => `login(token="hf_${r.letters(34)}")\n`),
  of('npm token', 'docs.npmjs.com: about access tokens', 'publish.yml', (r) => `//registry.npmjs.org/:_authToken=${r.npm()}\n`),
  of('PyPI token', 'pypi.org/help: API tokens', 'release.txt', (r) => `username: __token__\npassword: ${r.pypi()}\n`),
  of('crates.io token', 'doc.rust-lang.org/cargo: publishing', 'cargo.toml', (r) => `[registry]\ntoken = "cio${r.base62(32)}"\n`),
  of('RubyGems', 'guides.rubygems.org: API keys', 'gem.yml', (r) => `---\n:rubygems_api_key: rubygems_${r.hex(48)}\n`),
  of('Docker Hub token', 'docs.docker.com: access tokens', 'login.sh', (r) => `echo dckr_pat_${r.base64Url(27)} | docker login -u ${r.user()} --password-stdin\n`),
  of('DigitalOcean', 'docs.digitalocean.com: tokens', 'do.sh', (r) => `doctl auth init -t dop_v1_${r.hex(64)}\n`),
  of('Vercel', 'vercel.com/docs: tokens', 'deploy.md', (r) => `Deploy with vcp_${r.base62(56)}\n`),
  of('Cloudflare', 'developers.cloudflare.com: create token', 'dns.sh', (r) => `curl -H "Authorization: Bearer ${r.base64Url(40)}" https://api.cloudflare.com/client/v4/zones\n`),
  of('Shopify', 'shopify.dev: access tokens', 'shop.php', (r) => `$headers = ['X-Shopify-Access-Token: shpat_${r.hex(32)}'];\n`),
  of('Atlassian', 'developer.atlassian.com: API tokens', 'jira.py', (r) => `auth = HTTPBasicAuth("${r.email()}", "ATATT3xFfGF0${r.base64Url(170)}=${r.hex(8).toUpperCase()}")\n`),
  of('Grafana', 'grafana.com/docs: service accounts', 'panel.sh', (r) => `curl -H "Authorization: Bearer glsa_${r.base62(32)}_${r.hex(8)}" https://${r.host()}/api\n`),
  of('HashiCorp Vault', 'developer.hashicorp.com: tokens', 'vault.log', (r) => `token                hvs.${r.base64Url(90)}\ntoken_accessor       ${r.base62(24)}\n`),
  of('Terraform Cloud', 'developer.hashicorp.com: API tokens', 'main.tf', (r) => `  token = "${r.base62(14)}.atlasv1.${r.base62(67)}"\n`),
  of('Sentry', 'docs.sentry.io: auth tokens', 'sentry.properties', (r) => `auth.token=sntrys_${r.base64(120)}_${r.base64(43)}\n`),
  of('Linear', 'developers.linear.app', 'issue.js', (r) => `new LinearClient({ apiKey: "lin_api_${r.base62(40)}" })\n`),
  of('Notion', 'developers.notion.com', 'sync.py', (r) => `notion = Client(auth="ntn_${r.digits(11)}${r.base62(35)}")\n`),
  of('Tailscale', 'tailscale.com/kb: auth keys', 'join.sh', (r) => `tailscale up --authkey tskey-auth-k${r.base62(11)}CNTRL-${r.base62(32)}\n`),
  of('Databricks', 'docs.databricks.com: PAT', 'cfg.ini', (r) => `[DEFAULT]\nhost = https://${r.host()}\ntoken = dapi${r.hex(32)}\n`),
  of('Mapbox secret', 'docs.mapbox.com: access tokens', 'tiles.sh', (r) => `curl "https://api.mapbox.com/tokens/v2?access_token=sk.eyJ1${r.base62(60)}.${r.base64Url(22)}"\n`),
  of('age key', 'age-encryption.org: README', 'key-backup.md', (r) => `AGE-SECRET-KEY-1${r.from('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}\n`),

  // ------------------------------------------------ keys
  of('RSA key', 'RFC 7468', 'notes.txt', (r) => `our key:\n${r.pem('RSA PRIVATE KEY', 1190)}`),
  of('encrypted PKCS 8', 'RFC 5958', 'web.txt', (r) => r.pem('ENCRYPTED PRIVATE KEY', 1290)),
  of('OpenSSH key in JSON', 'openssh: PROTOCOL.key', 'deploy.json', (r) => JSON.stringify({ host: r.host(), key: r.pem('OPENSSH PRIVATE KEY', 400) })),
  of('PGP private block', 'RFC 9580', 'backup.txt', (r) => `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${r.base64(64)}\n${r.base64(64)}\n=${r.base64(4)}\n-----END PGP PRIVATE KEY BLOCK-----\n`),
  of('WireGuard that begins like a path', 'wg(8)', 'tunnel.conf', (r) => `[Interface]\nPrivateKey = ${slashed(r, 43)}=\nAddress = 10.0.0.2/32\n\n[Peer]\nPublicKey = ${r.base64(43)}=\n`),
  of('WireGuard preshared', 'wg(8)', 'peer.txt', (r) => `[Peer]\nPublicKey = ${r.base64(43)}=\nPresharedKey = ${r.base64(43)}=\nAllowedIPs = 0.0.0.0/0\n`),
  of('JSON web key', 'RFC 7517', 'jwk.txt', (r) => JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', x: r.base64Url(43), y: r.base64Url(43), d: r.base64Url(43) }] })),
  of('BIP 39 phrase', 'BIP 39', 'wallet note.txt', (r) => `Seed phrase:\n${r.phrase(12)}\n`),
  of('Bitcoin WIF', 'en.bitcoin.it: Wallet import format', 'paper.txt', (r) => `address 1${r.base62(33)}\n${r.wif()}\n`),
  of('Ethereum key', 'ethereum.org: accounts', 'hardhat.config.ts', (r) => `accounts: { privateKey: "0x${r.hex(64)}" }\n`),

  // ------------------------------------------------ configurations
  of('Django', 'docs.djangoproject.com: settings', 'settings.py', (r) => `SECRET_KEY = 'django-insecure-${r.from('abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)', 50)}'\n`),
  of('Spring datasource', 'docs.spring.io: application properties', 'application.yml', (r) => `spring:\n  datasource:\n    username: ${r.user()}\n    password: ${r.password(noQuote + ':#{}[]&*!|>%@,')}\n`),
  of('password that begins like a path', 'docs.spring.io: application properties', 'application.properties', (r) => `spring.datasource.username=${r.user()}\nspring.datasource.password=${slashed(r, 24)}\n`),
  of('database address', 'postgresql.org: libpq connect', 'main.go', (r) => `db, err := sql.Open("pgx", "postgres://${r.user()}:${r.base62(18)}@${r.host()}:5432/${r.word()}")\n`),
  of('MongoDB', 'mongodb.com/docs: connection string', 'db.js', (r) => `mongoose.connect('mongodb+srv://${r.user()}:${r.base62(16)}@cluster0.${r.lower(6)}.mongodb.net/app');\n`),
  of('Redis', 'iana.org: redis scheme', 'celery.py', (r) => `BROKER_URL = 'redis://:${r.base62(32)}@${r.host()}:6379/0'\n`),
  of('SQL Server', 'learn.microsoft.com: SqlConnection', 'web.config', (r) => `<add name="Main" connectionString="Server=${r.host()};Database=shop;User Id=${r.user()};Password=${r.base62(14)};" />\n`),
  of('Kubernetes secret', 'kubernetes.io: Secrets', 'secret.yaml', (r) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  password: ${Buffer.from(r.password()).toString('base64')}\n`),
  of('Docker compose', 'docs.docker.com: environment', 'compose.yaml', (r) => `services:\n  db:\n    image: postgres:17\n    environment:\n      POSTGRES_PASSWORD: ${r.base62(16)}\n`),
  of('Ansible inventory', 'docs.ansible.com: inventory', 'hosts.ini', (r) => `[web]\n${r.host()} ansible_user=${r.user()} ansible_password=${r.base62(14)}\n`),
  of('wpa_supplicant', 'w1.fi: wpa_supplicant.conf', 'wifi.conf', (r) => `network={\n\tssid="${r.word()}"\n\tpsk="${r.base62(14)}"\n}\n`),
  of('Windows WLAN profile', 'learn.microsoft.com: WLAN_profile', 'Wi-Fi-home.xml', (r) => `<?xml version="1.0"?>\n<WLANProfile xmlns="http://www.microsoft.com/networking/WLAN/profile/v1"><MSM><security><sharedKey><keyType>passPhrase</keyType><protected>false</protected><keyMaterial>${r.base62(14)}</keyMaterial></sharedKey></security></MSM></WLANProfile>\n`),
  of('unattended Windows', 'learn.microsoft.com: Microsoft-Windows-Shell-Setup', 'unattend.txt', (r) => `<AutoLogon><Password><Value>${r.base62(12)}</Value><PlainText>true</PlainText></Password><Username>${r.user()}</Username></AutoLogon>\n`),
  of('rclone', 'rclone.org: sftp', 'rclone.conf', (r) => `[nas]\ntype = sftp\nhost = ${r.host()}\nuser = ${r.user()}\npass = ${r.base64Url(38)}\n`),
  of('Maven', 'maven.apache.org: settings', 'settings.xml', (r) => `<settings><servers><server><id>central</id><username>${r.user()}</username><password>${r.base62(20)}</password></server></servers></settings>\n`),
  of('Gradle signing', 'developer.android.com: sign your app', 'keystore.properties', (r) => `storePassword=${r.base62(12)}\nkeyPassword=${r.base62(12)}\nkeyAlias=upload\nstoreFile=/home/${r.first()}/upload-keystore.txt\n`),
  of('NuGet', 'learn.microsoft.com: nuget.config', 'nuget.config', (r) => `<packageSourceCredentials><feed><add key="Username" value="${r.user()}" /><add key="ClearTextPassword" value="${r.base62(24)}" /></feed></packageSourceCredentials>\n`),
  of('FileZilla sites', 'wiki.filezilla-project.org', 'sitemanager.txt', (r) => `<Server><Host>${r.host()}</Host><User>${r.user()}</User><Pass encoding="base64">${Buffer.from(r.password()).toString('base64')}</Pass></Server>\n`),
  of('nginx basic header', 'RFC 7617', 'proxy.conf', (r) => `proxy_set_header Authorization "Basic ${basic(r)}";\n`),
  of('curl with a password', 'curl(1)', 'backup.sh', (r) => `curl -u ${r.user()}:${r.base62(16)} https://${r.host()}/dump\n`),
  of('mysqldump', 'dev.mysql.com: mysqldump', 'cron.txt', (r) => `0 3 * * * mysqldump -u ${r.user()} --password=${r.base62(14)} shop > /var/backups/shop.sql\n`),
  of('Svelte variables', 'vite.dev: env variables', 'vars.ps1', (r) => `$env:API_TOKEN = '${r.base62(32)}'\n`),
  kind('PowerShell transcript', 'learn.microsoft.com: about_Redirection', (r) => bytes('out.txt', utf16(`Name: ${r.user()}\r\nPassword: ${r.base62(14)}\r\n`))),
  of('curl cookie jar', 'curl.se: cookie files', 'jar.txt', (r) => `# Netscape HTTP Cookie File\n${r.host()}\tTRUE\t/\tTRUE\t1893456000\tsessionid\t${r.base62(40)}\n`),
  of('bearer in an archive of requests', 'w3c: HAR 1.2', 'site.har', (r) => `{"log":{"entries":[{"request":{"headers":[{"name":"Authorization","value":"Bearer ${r.jwt()}"}]}}]}}\n`),
  of('Postman', 'learning.postman.com', 'api.postman_collection.json', (r) => `{"auth":{"type":"bearer","bearer":[{"key":"token","value":"${r.base62(40)}","type":"string"}]}}\n`),

  // ------------------------------------------------ what people and their programs write
  of('browser export', 'support.google.com: export passwords', 'Chrome.csv', (r) => `name,url,username,password,note\n${r.word()},https://${r.host()}/,${r.user()},${r.base62(14)},\n`),
  of('Firefox export', 'support.mozilla.org: export logins', 'logins.csv', (r) => `"url","username","password","httpRealm","formActionOrigin","guid","timeCreated","timeLastUsed","timePasswordChanged"\n"https://${r.host()}","${r.user()}","${r.base62(16)}",,"","{${r.uuid()}}","1","1","1"\n`),
  of('Bitwarden', 'bitwarden.com/help: export', 'vault.json', (r) => `{"encrypted":false,"items":[{"type":1,"name":"${r.word()}","login":{"username":"${r.user()}","password":"${r.base62(16)}","totp":null}}]}\n`),
  of('KeePass XML', 'keepass.info: import and export', 'export.xml', (r) => `<KeePassFile><Root><Entry><String><Key>Password</Key><Value ProtectInMemory="True">${r.base62(14)}</Value></String></Entry></Root></KeePassFile>\n`),
  of('one-time password address', 'github.com/google/google-authenticator: Key-Uri-Format', 'qr.txt', (r) => `otpauth://totp/${r.word()}:${r.email()}?secret=${r.from(base32, 32)}&issuer=${r.word()}\n`),
  of('German note', 'duden.de: Passwort', 'zugang.txt', (r) => `Zugang zum Router\nBenutzer: ${r.user()}\nKennwort: ${r.base62(12)}\n`),
  of('French note', 'larousse.fr: mot de passe', 'accès.txt', (r) => `Identifiant : ${r.user()}\nMot de passe : ${r.base62(12)}\n`),
  of('Spanish note', 'dle.rae.es: contraseña', 'clave.txt', (r) => `Usuario: ${r.user()}\nContraseña: ${r.base62(12)}\n`),
  of('Italian note', 'treccani.it', 'accesso.txt', (r) => `Utente: ${r.user()}\nParola d'ordine: ${r.base62(12)}\n`),
  of('password in a mail', 'RFC 5322', 'welcome.eml', (r) => `From: it@example.org\r\nSubject: account\r\n\r\nYour username is ${r.user()} and your password is: ${r.base62(12)}\r\n`),
  of('recovery codes', 'docs.github.com: recovery codes', 'github-recovery-codes.txt', (r) => `${r.hex(5)}-${r.hex(5)}\n${r.hex(5)}-${r.hex(5)}\n${r.hex(5)}-${r.hex(5)}\n${r.hex(5)}-${r.hex(5)}\n`),
];
