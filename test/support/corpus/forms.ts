// Forms in which people keep secrets, each with a made-up one that our own rules must find. The values are random, so
// that no scanner takes this file for a leak.
/* eslint-disable @typescript-eslint/no-unnecessary-template-expression -- prefixes in parts: no scanner takes this file for a leak */
import { createText, type Text } from './text.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** As a person chooses one, and as a program does. */
const chosen = (text: Text): string =>
  `${text.pick(['Sommer', 'Tiger', 'Kestrel', 'Wanderlust', 'Blaubeer'])}${text.of('digits', 3)}${text.pick(['!', '#', '_', '%'])}${text.of('lower', 3)}`;
const made = (text: Text): string => `${text.of('plain', 9)}7${text.of('plain', 10)}q${text.of('digits', 1)}`;

const accessKey = (text: Text): string => `${'AK'}IA${text.of('upper', 16)}`;
const accessSecret = (text: Text): string => `${text.of('plain', 17)}/aB3${text.of('plain', 19)}`;
const github = (text: Text): string => `${'gh'}p_${text.of('plain', 36)}`;
const pem = (text: Text, label = 'RSA PRIVATE KEY'): string =>
  `-----${'BEGIN'} ${label}-----\n${`MIIEpAIBAAKCAQEA${text.base64(800)}`.replace(/(.{64})/g, '$1\n')}\n-----${'END'} ${label}-----`;
const webToken = (text: Text): string =>
  [`{"alg":"HS256","typ":"JWT"}`, `{"sub":"${text.of('digits', 8)}","name":"Kim","iat":1764000000}`]
    .map((part) => Buffer.from(part).toString('base64url'))
    .concat(text.of('plain', 43))
    .join('.');
const quotedPrintable = (line: string): string => line.replaceAll('=', '=3D').replace(/(.{70})/g, '$1=\r\n');

export type Form = (text: Text) => string;

export const forms: Record<string, Form> = {
  'a line of an environment file with a comment': (text) => `API_TOKEN=${made(text)} # prod\n`,
  'a chosen password in an environment file': (text) => `DB_HOST=db\nDB_PASSWORD=${chosen(text)}\n`,
  'an environment file with quotes': (text) => `export SMTP_PASSWORD="${chosen(text)}"  # mail\n`,
  'compose as a map': (text) =>
    `services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: ${chosen(text)}\n`,
  'compose as a list': (text) =>
    `services:\n  db:\n    environment:\n      - MYSQL_ROOT_PASSWORD=${chosen(text)}\n`,
  appsettings: (text) =>
    `{\n  "ConnectionStrings": {\n    "Default": "Server=db;Database=shop;User Id=sa;Password=${chosen(text)};Encrypt=True"\n  }\n}\n`,
  'appsettings with a key': (text) => `{ "Jwt": { "SigningKey": "${made(text)}", "Issuer": "shop" } }`,
  'Java properties': (text) => `spring.datasource.username=app\nspring.datasource.password=${chosen(text)}\n`,
  'Java properties with a blank': (text) => `keystore.password ${chosen(text)}\n`,
  'application.yml': (text) => `spring:\n  datasource:\n    password: ${chosen(text)}\n`,
  'wp-config': (text) =>
    `<?php\ndefine( 'DB_USER', 'wp' );\ndefine( 'DB_PASSWORD', '${chosen(text)}' );\ndefine('AUTH_KEY', '${text.of('plain', 20)}|+9 x${text.of('plain', 38)}');\n`,
  'docker config': (text) =>
    JSON.stringify({ auths: { 'https://index.docker.io/v1/': { auth: base64(`kim:${made(text)}`) } } }),
  'docker config with a chosen password': (text) =>
    JSON.stringify({ auths: { 'registry.example.net': { auth: base64(`kim:${chosen(text)}`) } } }),
  kubeconfig: (text) =>
    `apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n    client-certificate-data: ${base64(`-----BEGIN CERTIFICATE-----\n${text.base64(90)}`)}\n    client-key-data: ${base64(pem(text))}\n`,
  'kubeconfig with a token': (text) =>
    `users:\n- name: ci\n  user:\n    token: ${made(text)}${text.of('plain', 20)}\n`,
  'a Kubernetes secret': (text) =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  url: ${base64(`postgres://app:${made(text)}@db/shop`)}\n`,
  'a Kubernetes secret with a password': (text) =>
    `kind: Secret\ndata:\n  password: ${base64(chosen(text))}\n`,
  'a container’s variable by name and value': (text) =>
    `env:\n  - name: DB_PASSWORD\n    value: ${chosen(text)}\n`,
  'a task of ECS': (text) =>
    JSON.stringify({ environment: [{ name: 'STRIPE_API_KEY', value: made(text) }] }, null, 2),
  'a header in a script': (text) =>
    `curl -s -H "Authorization: Bearer ${made(text)}${made(text)}" https://api.example.net/v1/me\n`,
  'a header in code': (text) => `fetch(url, { headers: { Authorization: 'Bearer ${made(text)}' } });\n`,
  'a header with a user': (text) => `Authorization: Basic ${base64(`kim:${chosen(text)}`)}\n`,
  'a header of an API': (text) => `GET /v1 HTTP/1.1\nHost: api.example.net\nX-Api-Key: ${made(text)}\n`,
  'curl with a user': (text) => `curl -u deploy:${chosen(text)} https://files.example.net/x\n`,
  'a web token': (text) => `The session is ${webToken(text)} until tomorrow.\n`,
  'a web token in a log': (text) => `${text.logLines(5)}DEBUG cookie: sid=${webToken(text)}; path=/\n`,
  WireGuard: (text) =>
    `[Interface]\nPrivateKey = ${text.of('plain', 42)}8=\nAddress = 10.0.0.2/32\n\n[Peer]\nPublicKey = ${text.of('plain', 43)}=\n`,
  'the passwords of Chrome': (text) =>
    `name,url,username,password,note\nexample.net,https://example.net/login,kim,${chosen(text)},\n`,
  'the passwords of Firefox': (text) =>
    `"url","username","password","httpRealm","formActionOrigin","guid","timeCreated","timeLastUsed","timePasswordChanged"\n"https://example.net","kim","${chosen(text)}",,"https://example.net","{5f0f8ae6-2b8a-4b39-8f9e-52d2fb7b2e5f}","1764000000000","1764000000000","1764000000000"\n`,
  'the passwords of Safari': (text) =>
    `Title,URL,Username,Password,Notes,OTPAuth\nShop,https://shop.example.net/,kim,${chosen(text)},,\n`,
  'the passwords of Bitwarden': (text) =>
    `folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n,,login,Bank,,,0,https://bank.example.net,kim,${chosen(text)},\n`,
  'the passwords of Bitwarden as JSON': (text) =>
    JSON.stringify({ items: [{ type: 1, login: { username: 'kim', password: chosen(text) } }] }, null, 2),
  'the passwords of LastPass': (text) =>
    `url,username,password,totp,extra,name,grouping,fav\nhttps://a.example.net,kim,${chosen(text)},,,A,,0\n`,
  'the passwords of KeePass': (text) =>
    `"Account","Login Name","Password","Web Site","Comments"\n"Mail","kim","${chosen(text)}","https://mail.example.net",""\n`,
  'the passwords of KeePass as XML': (text) =>
    `<Entry><String><Key>Password</Key><Value ProtectInMemory="True">${chosen(text)}</Value></String></Entry>`,
  'a table with semicolons': (text) => `Dienst;Benutzer;Passwort\nMail;kim;${chosen(text)}\n`,
  'the keys that AWS hands out': (text) =>
    `Access key ID,Secret access key\n${accessKey(text)},${accessSecret(text)}\n`,
  'an access key and its secret': (text) =>
    JSON.stringify({ id: accessKey(text), value: accessSecret(text), region: 'eu-west-1' }),
  'a key in a mail that is quoted': (text) =>
    `> Here it is:\n>\n> ${pem(text).replaceAll('\n', '\n> ')}\n\nThanks\n`,
  'a key in a mail that is quoted twice': (text) =>
    `>> ${pem(text, 'OPENSSH PRIVATE KEY').replaceAll('\n', '\n>> ')}\n`,
  'a key in HTML': (text) => `<html><body><pre>${pem(text).replaceAll('\n', '<br>\n')}</pre></body></html>`,
  'a token in HTML with entities': (text) => `<p>token&#61;<b>${github(text).replace('_', '&#95;')}</b></p>`,
  'a password in a table of HTML': (text) =>
    `<table><tr><td>User</td><td>kim</td></tr><tr><td>Password</td><td>${chosen(text)}</td></tr></table>`,
  'a key in RTF': (text) =>
    `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Arial;}}\\f0\\fs24 ${pem(text).replaceAll('\n', '\\par\n')}\\par}`,
  'a password in RTF': (text) => `{\\rtf1\\ansi\\f0\\b Password:\\b0  ${chosen(text)}\\par\n}`,
  'a token in a mail that is quoted-printable': (text) =>
    `Content-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(`The long line that comes before the token which is here: token=${github(text)} and the rest`)}\r\n`,
  'a part of a mail in base64': (text) =>
    `Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(`Hello,\n\nthe token of the server is ${github(text)}, please keep it.\n`).replace(/(.{76})/g, '$1\r\n')}\r\n`,
  'an address that is escaped': (text) =>
    `https://a.example.net/cb?next=%2Flogin%3Ftoken%3D${github(text)}\n`,
  'JSON within JSON': (text) => JSON.stringify({ body: JSON.stringify({ password: chosen(text) }) }),
  'a key in JSON': (text) => JSON.stringify({ private: pem(text) }),
  'a key in one line': (text) => `PRIVATE_KEY="${pem(text).replaceAll('\n', '\\n')}"\n`,
  'a key without its armour': (text) => `signing: MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${text.base64(1000)}\n`,
  'a PKCS 12 in base64': (text) => `WIN_CSC_LINK=MIIKKAIBAzCCCe4GCSqGSIb3DQEHAaCC${text.base64(900)}\n`,
  'a JSON Web Key': (text) =>
    JSON.stringify({
      kty: 'EC',
      crv: 'P-256',
      x: text.of('plain', 43),
      y: text.of('plain', 43),
      d: text.of('plain', 43),
    }),
  'a static key of OpenVPN': (text) =>
    `-----${'BEGIN'} OpenVPN Static key V1-----\n${text.lines(16, () => text.of('hex', 32))}-----${'END'} OpenVPN Static key V1-----\n`,
  minisign: (text) => `untrusted comment: minisign encrypted secret key\nRWRTY0Iy${text.base64(204)}\n`,
  netrc: (text) => `machine api.example.net\n  login kim\n  password ${chosen(text)}\n`,
  'netrc in one line': (text) => `machine api.example.net login kim password ${made(text)}\n`,
  pgpass: (text) => `db.example.net:5432:shop:app:${chosen(text)}\n`,
  htpasswd: (text) => `kim:$apr1$${text.of('plain', 8)}$${text.of('plain', 22)}\n`,
  'my.cnf': (text) => `[client]\nuser = root\npassword = ${chosen(text)}\n`,
  pypirc: (text) => `[pypi]\nusername = kim\npassword = ${chosen(text)}\n`,
  'Maven settings': (text) =>
    `<servers><server><id>nexus</id><username>kim</username><password>${chosen(text)}</password></server></servers>`,
  'NuGet config': (text) => `<add key="ClearTextPassword" value="${chosen(text)}" />`,
  'web.config': (text) =>
    `<add name="Shop" connectionString="Data Source=db;User ID=sa;Password=${chosen(text)};" />`,
  'Android strings': (text) => `<resources><string name="maps_api_key">${made(text)}</string></resources>`,
  'a property list': (text) => `<dict>\n\t<key>ClientSecret</key>\n\t<string>${made(text)}</string>\n</dict>`,
  'a wireless network of Windows': (text) =>
    `<sharedKey><keyType>passPhrase</keyType><protected>false</protected><keyMaterial>${chosen(text)}</keyMaterial></sharedKey>`,
  'a wireless network of Linux': (text) => `network={\n  ssid="home"\n  psk="${chosen(text)}"\n}\n`,
  'unattended setup': (text) =>
    `<AdministratorPassword>\n  <Value>${chosen(text)}</Value>\n  <PlainText>true</PlainText>\n</AdministratorPassword>`,
  FileZilla: (text) =>
    `<Server><Host>a</Host><Pass encoding="base64">${base64(chosen(text))}</Pass></Server>`,
  rclone: (text) => `[box]\ntype = sftp\nuser = kim\npass = ${text.of('plain', 30)}5\n`,
  'Terraform variables': (text) => `db_password = "${chosen(text)}"\n`,
  'Terraform state': (text) =>
    JSON.stringify(
      { resources: [{ instances: [{ attributes: { username: 'app', password: chosen(text) } }] }] },
      null,
      2,
    ),
  Dockerfile: (text) => `FROM node\nENV API_KEY ${made(text)}\nARG NPM_TOKEN=${made(text)}\n`,
  PowerShell: (text) => `$env:CLIENT_SECRET = "${made(text)}"\n`,
  'a secure string of PowerShell': (text) =>
    `$password = ConvertTo-SecureString "${chosen(text)}" -AsPlainText -Force\n`,
  'a batch file': (text) => `@echo off\nset DB_PASSWORD=${chosen(text)}\nsetx API_TOKEN ${made(text)}\n`,
  'an argument': (text) => `mysqldump --user=root --password=${chosen(text)} shop > shop.sql\n`,
  'an argument apart': (text) => `deploy --token ${made(text)} --region eu\n`,
  sshpass: (text) => `sshpass -p '${chosen(text)}' ssh root@10.0.0.4\n`,
  SQL: (text) => `CREATE USER app WITH PASSWORD '${chosen(text)}';\n`,
  'SQL of MySQL': (text) => `CREATE USER 'app'@'%' IDENTIFIED BY '${chosen(text)}';\n`,
  Python: (text) => `API_KEY = "${made(text)}"\nclient = Client(API_KEY)\n`,
  'a dictionary of Python': (text) =>
    `DATABASES = {'default': {'USER': 'app', 'PASSWORD': '${chosen(text)}'}}\n`,
  JavaScript: (text) => `const config = { apiSecret: '${made(text)}', retries: 3 };\n`,
  Java: (text) => `private static final String DB_PASSWORD = "${chosen(text)}";\n`,
  'Java by a call': (text) => `dataSource.setPassword("${chosen(text)}");\n`,
  'C#': (text) => `var client = new Client { ClientSecret = "${made(text)}" };\n`,
  Go: (text) => `const apiKey string = "${made(text)}"\n`,
  'Go in short': (text) => `\tpassword := "${chosen(text)}"\n`,
  Kotlin: (text) => `val clientSecret: String = "${made(text)}"\n`,
  Rust: (text) => `let token: &str = "${made(text)}";\n`,
  Ruby: (text) => `config.password = '${chosen(text)}'\nopts = { :api_key => '${made(text)}' }\n`,
  PHP: (text) => `return ['driver' => 'mysql', 'password' => '${chosen(text)}'];\n`,
  C: (text) => `#define WIFI_PASSWORD "${chosen(text)}"\n`,
  TOML: (text) => `[server]\npassword = '${chosen(text)}'\n`,
  'a block of YAML': (text) => `api:\n  secret: |\n    ${made(text)}\n`,
  'Django settings': (text) =>
    `SECRET_KEY = 'django-insecure-${text.of('plain', 20)}^4${text.of('plain', 28)}'\n`,
  Laravel: (text) => `APP_KEY=base64:${text.base64(44)}\n`,
  'Rails master.key': (text) => `${text.of('hex', 31)}4`,
  'an ADO.NET string': (text) => `Server=tcp:db.example.net,1433;Uid=app;Pwd=${chosen(text)};`,
  JDBC: (text) => `url=jdbc:postgresql://db/shop?user=app&password=${chosen(text)}&ssl=true\n`,
  ODBC: (text) => `Driver={ODBC Driver 18 for SQL Server};Server=db;UID=app;PWD={${chosen(text)}};`,
  AMQP: (text) => `BROKER=amqps://app:${made(text)}@mq.example.net/v\n`,
  'Redis with a password only': (text) => `cache: redis://:${made(text)}@cache.example.net:6379/0\n`,
  'a signature of Azure': (text) =>
    `https://box.blob.core.windows.net/a/b?sv=2024-11-04&ss=b&se=2027-01-01T00%3A00%3A00Z&sp=rl&sig=${text.of('plain', 41)}%3D\n`,
  'an address that AWS signed': (text) =>
    `https://b.s3.amazonaws.com/x?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${accessKey(text)}%2F20261125&X-Amz-Signature=${text.of('hex', 64)}\n`,
  'a webhook of Teams': (text) =>
    `https://a.webhook.office.com/webhookb2/${text.uuid()}@${text.uuid()}/IncomingWebhook/${text.of('hex', 32)}/${text.uuid()}\n`,
  'a second factor': (text) => `otpauth://totp/Bank:kim?secret=${text.of('upper', 32)}&issuer=Bank\n`,
  'a note': (text) => `Router\n\nUser: admin\nPassword: ${chosen(text)}\n`,
  'a sentence': (text) => `Hi Kim, the password is ${chosen(text)}, please do not tell anyone.\n`,
  'a note in German': (text) => `Das Passwort lautet ${chosen(text)}\n`,
  'a note in Spanish': (text) => `Contraseña: ${chosen(text)}\n`,
  'a note in Chinese': (text) => `用户名: kim\n密码：${chosen(text)}\n`,
  'a table of Markdown': (text) => `| user | password |\n| --- | --- |\n| kim | ${chosen(text)} |\n`,
  'a difference': (text) => `@@ -1 +1 @@\n-password: \${PW}\n+password: ${chosen(text)}\n`,
  'Ansible inventory': (text) => `web1 ansible_user=root ansible_ssh_pass=${chosen(text)}\n`,
  'an npm configuration': (text) => `//npm.example.net/:_password=${base64(chosen(text))}\n`,
  gradle: (text) => `signing.password=${chosen(text)}\nossrhToken=${made(text)}\n`,
  'GitHub workflow': (text) => `jobs:\n  a:\n    env:\n      SONAR_TOKEN: ${made(text)}\n`,
  'Google sign-in': (text) =>
    JSON.stringify({
      client_id: 'a.apps.googleusercontent.com',
      client_secret: `d-${text.of('plain', 22)}`,
      refresh_token: `1//${text.of('plain', 60)}`,
      type: 'authorized_user',
    }),
  LDIF: (text) => `dn: uid=kim\nuserPassword: ${chosen(text)}\n`,
  Cisco: (text) => `username kim privilege 15 password 0 ${chosen(text)}\n`,
  Postman: (text) => JSON.stringify({ values: [{ key: 'api_token', value: made(text), enabled: true }] }),
  'a cookie': (text) => `{"name": "session_token", "value": "${made(text)}", "domain": "example.net"}`,
  'a form that is sent': (text) =>
    `POST /login\n\nuser=kim&password=${encodeURIComponent(chosen(text))}&go=1\n`,
  'an INI with a blank before': (text) => `; service\n  api_secret : ${made(text)}\n`,
  'a network that Windows shows': (text) =>
    `    SSID name      : home\n    Key Content            : ${chosen(text)}\n`,
  'redis.conf': (text) => `bind 0.0.0.0\nrequirepass ${made(text)}\n`,
  'ldap.conf': (text) => `binddn cn=admin,dc=example\nbindpw ${chosen(text)}\n`,
  sssd: (text) => `ldap_default_authtok = ${chosen(text)}\n`,
  'sasl_passwd of Postfix': (text) => `[smtp.example.net]:587 kim@example.net:${chosen(text)}\n`,
  'chap-secrets': (text) => `kim * ${chosen(text)} *\n`,
  'ipsec.secrets': (text) => `10.0.0.1 10.0.0.2 : PSK "${chosen(text)}"\nkim : EAP "${chosen(text)}"\n`,
  OpenWrt: (text) => `config wifi-iface\n\toption ssid 'home'\n\toption key '${chosen(text)}'\n`,
  mutt: (text) => `set imap_user = "kim"\nset imap_pass = "${chosen(text)}"\n`,
  msmtp: (text) => `account a\nuser kim\npassword ${chosen(text)}\n`,
  'docker login': (text) => `docker login -u kim -p ${made(text)} registry.example.net\n`,
  smbclient: (text) => `smbclient //nas/box -U kim%${chosen(text)}\n`,
  keytool: (text) => `keytool -genkey -alias a -storepass ${chosen(text)} -keypass ${chosen(text)}\n`,
  'a password for sudo': (text) => `echo '${chosen(text)}' | sudo -S apt-get update\n`,
  chpasswd: (text) => `echo "root:${chosen(text)}" | chpasswd\n`,
  'cloud-init': (text) => `chpasswd:\n  list: |\n    root:${chosen(text)}\n`,
  kickstart: (text) => `rootpw --plaintext ${chosen(text)}\n`,
  preseed: (text) => `d-i passwd/root-password password ${chosen(text)}\n`,
  'a credential of PowerShell': (text) =>
    `$c = New-Object PSCredential('kim', (ConvertTo-SecureString -String "${chosen(text)}" -AsPlainText -Force))\n`,
  'Visual Basic': (text) => `Const API_KEY As String = "${made(text)}"\n`,
  R: (text) => `api_key <- "${made(text)}"\n`,
  Clojure: (text) => `{:user "app" :password "${chosen(text)}"}\n`,
  Erlang: (text) => `[{rabbit, [{default_user, <<"app">>}, {default_pass, <<"${chosen(text)}">>}]}].\n`,
  'a variable of Terraform': (text) =>
    `variable "db_password" {\n  type    = string\n  default = "${chosen(text)}"\n}\n`,
  CloudFormation: (text) =>
    `Parameters:\n  DbPassword:\n    Type: String\n    NoEcho: true\n    Default: ${chosen(text)}\n`,
  'a unit of systemd': (text) => `[Service]\nEnvironment="DB_PASSWORD=${chosen(text)}"\n`,
  nginx: (text) => `proxy_set_header Authorization "Basic ${base64(`kim:${chosen(text)}`)}";\n`,
  Traefik: (text) =>
    `- "traefik.http.middlewares.a.basicauth.users=kim:$$apr1$$${text.of('plain', 8)}$$${text.of('plain', 22)}"\n`,
  Joomla: (text) => `class JConfig {\n\tpublic $password = '${chosen(text)}';\n}\n`,
  Drupal: (text) => `$settings['hash_salt'] = '${text.of('plain', 70)}4';\n`,
  machineKey: (text) => `<machineKey validationKey="${text.of('upperHex', 127)}7" decryption="AES" />`,
  Kafka: (text) =>
    `sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="${chosen(text)}";\n`,
  Jenkins: (text) => `<username>kim</username>\n<password>{AQAAABAAAAAg${text.base64(44)}}</password>\n`,
  'a group policy': (text) => `<Properties action="U" cpassword="${text.base64(44)}" userName="admin"/>`,
  'a registry file': (text) => `[HKEY_CURRENT_USER\\Software\\A]\n"DefaultPassword"="${chosen(text)}"\n`,
  'a registry file of VNC': () => `"Password"=hex:1a,2b,3c,4d,5e,6f,70,81\n`,
  'a remote desktop': (text) =>
    `full address:s:a\npassword 51:b:01000000D08C9DDF0115D1118C7A00C0${text.of('upperHex', 80)}\n`,
  pgbouncer: (text) => `"app" "md5${text.of('hex', 32)}"\n`,
  'a cookie jar': (text) =>
    `# Netscape HTTP Cookie File\n.example.net\tTRUE\t/\tTRUE\t1790000000\tsid\t${text.of('plain', 40)}\n`,
  'a seed phrase': () =>
    `mnemonic: river garden table close begin order total price window server value render\n`,
  'recovery codes': (text) =>
    `Recovery codes for kim:\n\n${text.lines(8, () => `${text.of('hex', 4)}4-${text.of('hex', 5)}`)}`,
  'the passwords of 1Password': (text) =>
    JSON.stringify({
      fields: [{ value: chosen(text), type: 'P', name: 'password', designation: 'password' }],
    }),
  'the passwords of RoboForm': (text) =>
    `Name,Url,MatchUrl,Login,Pwd,Note\nA,https://a,https://a,kim,${chosen(text)},\n`,
  'a mail with the password in a line of its own': (text) =>
    `Hello,\n\nyour new password:\n\n${chosen(text)}\n\nBye\n`,
  'a mail in HTML with it in a paragraph of its own': (text) => `<p>Your password:</p><p>${chosen(text)}</p>`,
  'typographic quotation marks': (text) => `Passwort: „${chosen(text)}“\n`,
  'a list of keys': (text) => `{ "apiKeys": ["${made(text)}"] }\n`,
  'a list of keys in YAML': (text) => `api_keys:\n  - ${made(text)}\n`,
};

export const madeForms = (seed = 3): { name: string; content: string }[] =>
  Object.entries(forms).map(([name, form], at) => ({ name, content: form(createText(seed * 1000 + at)) }));
