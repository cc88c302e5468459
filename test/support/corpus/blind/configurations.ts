// Configurations of programs with a secret in them, written from the documents of their makers by an author who had not
// read the rules.
import { base32, csvSafe, file, kind, noColon, noQuote, utf16, xmlSafe, type Kind } from '../made.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const blindConfigurations: readonly Kind[] = [
  // environment
  kind('Laravel .env', 'https://laravel.com/docs/configuration', (r) =>
    file(
      '.env',
      `APP_NAME=${r.word()}\nAPP_ENV=production\nAPP_KEY=base64:${r.base64(43)}=\nAPP_DEBUG=false\nDB_CONNECTION=mysql\n`,
    ),
  ),
  kind('Rails production key', 'https://guides.rubyonrails.org/security.html', (r) =>
    file('.env.production', `RAILS_ENV=production\nSECRET_KEY_BASE=${r.hex(128)}\nRAILS_LOG_TO_STDOUT=1\n`),
  ),
  kind('Rails master key in a file of variables', 'https://guides.rubyonrails.org/security.html', (r) =>
    file('env.txt', `RAILS_MASTER_KEY=${r.hex(32)}\n`),
  ),
  kind('environment with a mailer address', 'https://symfony.com/doc/current/mailer.html', (r) =>
    file('.env.local', `APP_ENV=prod\nMAILER_DSN=smtp://${r.user()}:${r.base62(16)}@${r.host()}:587\n`),
  ),
  kind('fish variables', 'https://fishshell.com/docs/current/cmds/set.html', (r) =>
    file('config.fish', `set -gx EDITOR vim\nset -gx GITLAB_TOKEN ${r.base62(26)}\nfish_add_path ~/bin\n`),
  ),
  kind(
    'variables of cmd',
    'https://learn.microsoft.com/windows-server/administration/windows-commands/set_1',
    (r) =>
      file(
        'start.cmd',
        `@echo off\r\nset PGUSER=${r.user()}\r\nset PGPASSWORD=${r.password('%&<>|^')}\r\npsql -h ${r.host()}\r\n`,
      ),
  ),
  kind(
    'variables of PowerShell',
    'https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_environment_variables',
    (r) =>
      file(
        'env.ps1',
        `$env:ARM_CLIENT_ID = "${r.uuid()}"\n$env:ARM_CLIENT_SECRET = "${r.base62(3)}8Q~${r.base62(34)}"\n`,
      ),
  ),
  kind(
    'PowerShell with a plain password',
    'https://learn.microsoft.com/powershell/module/microsoft.powershell.security/convertto-securestring',
    (r) =>
      file(
        'login.ps1',
        `$pw = ConvertTo-SecureString '${r.password(noQuote)}' -AsPlainText -Force\n$cred = New-Object PSCredential('${r.user()}', $pw)\n`,
      ),
  ),
  kind('systemd drop-in', 'https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html', (r) =>
    file(
      'override.conf',
      `[Service]\nEnvironment="VAULT_TOKEN=hvs.${r.base64Url(90)}"\nEnvironment=RUST_LOG=info\n`,
    ),
  ),
  // CI
  kind('GitLab variables', 'https://docs.gitlab.com/ci/yaml/#variables', (r) =>
    file(
      '.gitlab-ci.yml',
      `stages: [deploy]\nvariables:\n  DEPLOY_HOST: ${r.host()}\n  SONAR_TOKEN: "sqp_${r.hex(40)}"\ndeploy:\n  stage: deploy\n  script: [make]\n`,
    ),
  ),
  kind(
    'GitHub workflow with a written password',
    'https://docs.github.com/actions/using-containerized-services',
    (r) =>
      file(
        'ci.yml',
        `jobs:\n  push:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: docker/login-action@v3\n        with:\n          registry: ${r.host()}\n          username: ${r.user()}\n          password: ${r.base62(20)}\n`,
      ),
  ),
  kind('Jenkins credentials', 'https://www.jenkins.io/doc/book/using/using-credentials/', (r) =>
    file(
      'jenkins.groovy',
      `new UsernamePasswordCredentialsImpl(CredentialsScope.GLOBAL, 'nexus', 'nexus', '${r.user()}', '${r.password(noQuote)}')\n`,
    ),
  ),
  kind('Travis variable', 'https://docs.travis-ci.com/user/environment-variables/', (r) =>
    file(
      '.travis.yml',
      `language: ruby\nenv:\n  global:\n    - COVERALLS_REPO_TOKEN=${r.base62(32)}\nscript: rake\n`,
    ),
  ),
  // containers
  kind('compose with a command', 'https://hub.docker.com/_/redis', (r) =>
    file(
      'compose.yaml',
      `services:\n  redis:\n    image: redis:7\n    command: redis-server --requirepass ${r.base62(18)}\n`,
    ),
  ),
  kind('Dockerfile argument', 'https://docs.docker.com/reference/dockerfile/', (r) =>
    file(
      'Dockerfile',
      `FROM node:22\nARG NPM_TOKEN=${r.uuid()}\nENV MONGO_PASSWORD ${r.base62(14)}\nRUN npm ci\n`,
    ),
  ),
  kind('Kubernetes stringData', 'https://kubernetes.io/docs/concepts/configuration/secret/', (r) =>
    file(
      'secret.yaml',
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${r.word()}\ntype: kubernetes.io/basic-auth\nstringData:\n  username: ${r.user()}\n  password: ${r.password(noQuote)}\n`,
    ),
  ),
  kind(
    'Kubernetes docker configuration',
    'https://kubernetes.io/docs/tasks/configure-pod-container/pull-image-private-registry/',
    (r) =>
      file(
        'pull.yaml',
        `kind: Secret\ntype: kubernetes.io/dockerconfigjson\ndata:\n  .dockerconfigjson: ${base64(JSON.stringify({ auths: { [r.host()]: { username: r.user(), password: r.base62(20), auth: base64(`${r.user()}:${r.base62(20)}`) } } }))}\n`,
      ),
  ),
  kind('Helm values', 'https://github.com/bitnami/charts/tree/main/bitnami/postgresql', (r) =>
    file(
      'values.yaml',
      `auth:\n  enablePostgresUser: true\n  postgresPassword: ${r.base62(12)}\n  database: ${r.word()}\nmetrics:\n  enabled: false\n`,
    ),
  ),
  kind('helm on the command line', 'https://helm.sh/docs/helm/helm_install/', (r) =>
    file(
      'install.sh',
      `helm install grafana grafana/grafana \\\n  --set adminPassword=${r.base62(16)} \\\n  --set persistence.enabled=true\n`,
    ),
  ),
  kind(
    'kubectl on the command line',
    'https://kubernetes.io/docs/reference/kubectl/generated/kubectl_create/kubectl_create_secret_generic/',
    (r) =>
      file(
        'setup.sh',
        `kubectl create secret generic db --from-literal=username=${r.user()} --from-literal=password='${r.password(noQuote)}'\n`,
      ),
  ),
  // infrastructure
  kind('Terraform variables', 'https://developer.hashicorp.com/terraform/language/values/variables', (r) =>
    file(
      'prod.tfvars',
      `region      = "eu-central-1"\ndb_username = "${r.user()}"\ndb_password = "${r.password(noQuote)}"\n`,
    ),
  ),
  kind('Terraform state', 'https://developer.hashicorp.com/terraform/language/state/sensitive-data', (r) =>
    file(
      'terraform.tfstate',
      `${JSON.stringify({ version: 4, terraform_version: '1.9.2', serial: 7, lineage: r.uuid(), outputs: {}, resources: [{ mode: 'managed', type: 'random_password', name: 'db', instances: [{ attributes: { length: 20, result: r.base62(20), special: false } }] }] }, null, 2)}\n`,
    ),
  ),
  kind(
    'Terraform state of a database',
    'https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/db_instance',
    (r) =>
      file(
        'terraform.tfstate',
        `${JSON.stringify({ version: 4, resources: [{ type: 'aws_db_instance', instances: [{ attributes: { address: r.host(), engine: 'postgres', password: r.base62(18), username: r.user() } }] }] }, null, 2)}\n`,
      ),
  ),
  kind('Pulumi plain configuration', 'https://www.pulumi.com/docs/iac/concepts/config/', (r) =>
    file(
      'Pulumi.prod.yaml',
      `config:\n  aws:region: eu-west-1\n  shop:dbPassword: ${r.base62(15)}\n  shop:replicas: "3"\n`,
    ),
  ),
  kind(
    'Ansible inventory',
    'https://docs.ansible.com/ansible/latest/inventory_guide/intro_inventory.html',
    (r) =>
      file(
        'hosts.ini',
        `[web]\n${r.host()} ansible_user=${r.user()} ansible_ssh_pass=${r.base62(12)} ansible_become_pass=${r.base62(12)}\n`,
      ),
  ),
  kind(
    'Ansible variables',
    'https://docs.ansible.com/ansible/latest/playbook_guide/playbooks_variables.html',
    (r) =>
      file(
        'main.yml',
        `---\nmysql_databases:\n  - name: ${r.word()}\nmysql_users:\n  - name: ${r.user()}\n    password: "${r.password(noQuote)}"\n    priv: "*.*:ALL"\n`,
      ),
  ),
  kind('Vagrant and Chef data bag', 'https://docs.chef.io/data_bags/', (r) =>
    file(
      'mysql.json',
      `${JSON.stringify({ id: 'mysql', root_password: r.base62(14), replication: { user: r.user() } })}\n`,
    ),
  ),
  // databases and mail
  kind('pgpass', 'https://www.postgresql.org/docs/current/libpq-pgpass.html', (r) =>
    file('.pgpass', `${r.host()}:5432:*:${r.user()}:${r.password(noColon)}\n`),
  ),
  kind('pg_service', 'https://www.postgresql.org/docs/current/libpq-pgservice.html', (r) =>
    file(
      'pg_service.conf',
      `[${r.word()}]\nhost=${r.host()}\nuser=${r.user()}\npassword=${r.password(noQuote)}\n`,
    ),
  ),
  kind('my.cnf of the dump', 'https://dev.mysql.com/doc/refman/8.4/en/option-files.html', (r) =>
    file('.my.cnf', `[mysqldump]\nuser=${r.user()}\npassword="${r.password(noQuote)}"\nsingle-transaction\n`),
  ),
  kind('netrc', 'https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html', (r) =>
    file(
      '.netrc',
      `machine ${r.host()} login ${r.user()} password ${r.base62(14)}\ndefault login anonymous password ${r.email()}\n`,
    ),
  ),
  kind('msmtp', 'https://marlam.de/msmtp/msmtp.html', (r) =>
    file(
      '.msmtprc',
      `account ${r.word()}\nhost ${r.host()}\nauth on\nuser ${r.user()}\npassword ${r.base62(16)}\n`,
    ),
  ),
  kind('Postfix relay', 'https://www.postfix.org/SASL_README.html', (r) =>
    file('sasl_passwd', `[${r.host()}]:587    ${r.user()}:${r.password(noColon)}\n`),
  ),
  kind('mutt', 'https://mutt.org/doc/manual/#imap', (r) =>
    file(
      '.muttrc',
      `set imap_user = "${r.email()}"\nset imap_pass = "${r.base62(16)}"\nset folder = "imaps://${r.host()}/"\n`,
    ),
  ),
  kind('offlineimap', 'https://www.offlineimap.org/doc/', (r) =>
    file(
      '.offlineimaprc',
      `[Repository remote]\ntype = IMAP\nremotehost = ${r.host()}\nremoteuser = ${r.user()}\nremotepass = ${r.base62(14)}\n`,
    ),
  ),
  kind('rclone', 'https://rclone.org/docs/#config-file', (r) =>
    file(
      'rclone.conf',
      `[box]\ntype = sftp\nhost = ${r.host()}\nuser = ${r.user()}\npass = ${r.base64Url(38)}\n`,
    ),
  ),
  kind('s3cmd', 'https://s3tools.org/kb/item14.htm', (r) =>
    file(
      '.s3cfg',
      `[default]\naccess_key = ${r.awsId()}\nbucket_location = US\nsecret_key = ${r.awsSecret()}\nuse_https = True\n`,
    ),
  ),
  kind('FileZilla sites', 'https://wiki.filezilla-project.org/Network_Configuration', (r) =>
    file(
      'sitemanager.xml',
      `<?xml version="1.0"?>\n<FileZilla3><Servers><Server><Host>${r.host()}</Host><Port>21</Port><User>${r.user()}</User><Pass encoding="base64">${base64(r.password())}</Pass><Logontype>1</Logontype></Server></Servers></FileZilla3>\n`,
    ),
  ),
  kind('smb credentials', 'https://www.samba.org/samba/docs/current/man-html/smbclient.1.html', (r) =>
    file('.smbcredentials', `username=${r.user()}\npassword=${r.password(noQuote)}\ndomain=WORKGROUP\n`),
  ),
  kind('fstab with a password', 'https://linux.die.net/man/8/mount.cifs', (r) =>
    file(
      'fstab',
      `UUID=${r.uuid()} / ext4 defaults 0 1\n//${r.host()}/data /mnt/data cifs username=${r.user()},password=${r.base62(12)},vers=3.0 0 0\n`,
    ),
  ),
  // languages
  kind('Spring with a keystore', 'https://docs.spring.io/spring-boot/how-to/webserver.html', (r) =>
    file(
      'application.properties',
      `server.port=8443\nserver.ssl.key-store=classpath:keystore.p12\nserver.ssl.key-store-password=${r.password('\\=')}\n`,
    ),
  ),
  kind(
    'Hibernate',
    'https://docs.jboss.org/hibernate/orm/6.6/userguide/html_single/Hibernate_User_Guide.html',
    (r) =>
      file(
        'hibernate.cfg.xml',
        `<hibernate-configuration><session-factory>\n<property name="hibernate.connection.username">${r.user()}</property>\n<property name="hibernate.connection.password">${r.password(xmlSafe)}</property>\n</session-factory></hibernate-configuration>\n`,
      ),
  ),
  kind('Tomcat users', 'https://tomcat.apache.org/tomcat-10.1-doc/manager-howto.html', (r) =>
    file(
      'tomcat-users.xml',
      `<tomcat-users>\n  <user username="${r.user()}" password="${r.password(xmlSafe)}" roles="manager-gui"/>\n</tomcat-users>\n`,
    ),
  ),
  kind('Gradle properties', 'https://docs.gradle.org/current/userguide/build_environment.html', (r) =>
    file(
      'gradle.properties',
      `org.gradle.jvmargs=-Xmx2g\nsigning.keyId=${r.hex(8).toUpperCase()}\nsigning.password=${r.base62(14)}\nossrhPassword=${r.base62(20)}\n`,
    ),
  ),
  kind('Gradle signing', 'https://developer.android.com/studio/publish/app-signing', (r) =>
    file(
      'build.gradle',
      `android { signingConfigs { release {\n  storeFile file("my.keystore")\n  storePassword "${r.base62(11)}"\n  keyAlias "${r.word()}"\n  keyPassword "${r.base62(11)}"\n} } }\n`,
    ),
  ),
  kind(
    'appsettings with storage',
    'https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string',
    (r) =>
      file(
        'appsettings.json',
        `${JSON.stringify({ Logging: { LogLevel: { Default: 'Information' } }, Storage: { ConnectionString: `DefaultEndpointsProtocol=https;AccountName=${r.word()};AccountKey=${r.base64(86)}==;EndpointSuffix=core.windows.net` } }, null, 2)}\n`,
      ),
  ),
  kind('user secrets of .NET', 'https://learn.microsoft.com/aspnet/core/security/app-secrets', (r) =>
    file(
      'secrets.json',
      `{\n  "Authentication:Google:ClientSecret": "GOCSPX-${r.base64Url(28)}",\n  "Movies:ServiceApiKey": "${r.base62(24)}"\n}\n`,
    ),
  ),
  kind(
    '.NET in UTF-16',
    'https://learn.microsoft.com/dotnet/api/system.data.sqlclient.sqlconnection.connectionstring',
    (r) => ({
      fileName: 'Web.config',
      bytes: utf16(
        `<connectionStrings>\r\n<add name="Main" connectionString="Server=${r.host()};Database=${r.word()};Uid=${r.user()};Pwd=${r.password(`${xmlSafe};`)}" />\r\n</connectionStrings>\r\n`,
      ),
    }),
  ),
  kind('PHP array', 'https://laravel.com/docs/database', (r) =>
    file(
      'database.php',
      `<?php\nreturn [\n  'host' => '${r.host()}',\n  'username' => '${r.user()}',\n  'password' => '${r.password(noQuote)}',\n];\n`,
    ),
  ),
  kind('PHP connection', 'https://www.php.net/manual/mysqli.construct.php', (r) =>
    file(
      'db.php',
      `<?php\n$db = new mysqli('${r.host()}', '${r.user()}', '${r.password(noQuote)}', '${r.word()}');\n`,
    ),
  ),
  kind('Joomla', 'https://docs.joomla.org/Configuration_file', (r) =>
    file(
      'configuration.php',
      `<?php\nclass JConfig {\n\tpublic $user = '${r.user()}';\n\tpublic $password = '${r.password(noQuote)}';\n\tpublic $secret = '${r.base62(16)}';\n}\n`,
    ),
  ),
  kind('Ruby database', 'https://guides.rubyonrails.org/configuring.html#configuring-a-database', (r) =>
    file(
      'database.yml',
      `production:\n  adapter: postgresql\n  username: ${r.user()}\n  password: ${r.base62(14)}\n  host: ${r.host()}\n`,
    ),
  ),
  kind('Ruby hash', 'https://docs.ruby-lang.org/en/3.3/Hash.html', (r) =>
    file(
      'config.rb',
      `Aws.config.update(\n  access_key_id: '${r.awsId()}',\n  secret_access_key: '${r.awsSecret()}'\n)\n`,
    ),
  ),
  kind('Django settings', 'https://docs.djangoproject.com/en/5.1/ref/settings/#secret-key', (r) =>
    file(
      'settings.py',
      `DEBUG = False\nSECRET_KEY = 'django-insecure-${r.base62(50)}'\nDATABASES = {'default': {'USER': '${r.user()}', 'PASSWORD': '${r.password(noQuote)}'}}\n`,
    ),
  ),
  kind('Python call', 'https://www.psycopg.org/docs/module.html', (r) =>
    file(
      'db.py',
      `import psycopg2\nconn = psycopg2.connect(host="${r.host()}", user="${r.user()}", password="${r.password(noQuote)}")\n`,
    ),
  ),
  kind('Python ini', 'https://docs.python.org/3/library/configparser.html', (r) =>
    file(
      'alembic.ini',
      `[alembic]\nscript_location = alembic\nsqlalchemy.url = postgresql+psycopg2://${r.user()}:${r.base62(12)}@${r.host()}/${r.word()}\n`,
    ),
  ),
  kind('Go structure', 'https://pkg.go.dev/github.com/redis/go-redis/v9', (r) =>
    file(
      'main.go',
      `rdb := redis.NewClient(&redis.Options{\n\tAddr:     "${r.host()}:6379",\n\tPassword: "${r.base62(16)}",\n\tDB:       0,\n})\n`,
    ),
  ),
  kind('TOML', 'https://toml.io/en/v1.0.0', (r) =>
    file(
      'Config.toml',
      `[server]\nport = 8080\n\n[database]\nurl = "mysql://${r.user()}:${r.base62(12)}@${r.host()}:3306/${r.word()}"\n[jwt]\nsecret = "${r.base62(40)}"\n`,
    ),
  ),
  kind('HOCON', 'https://github.com/lightbend/config/blob/main/HOCON.md', (r) =>
    file(
      'application.conf',
      `play.http.secret.key = "${r.base62(64)}"\ndb.default { driver = org.postgresql.Driver, username = ${r.user()}, password = "${r.base62(12)}" }\n`,
    ),
  ),
  kind('Rust constant', 'https://doc.rust-lang.org/reference/items/constant-items.html', (r) =>
    file('main.rs', `const BASE: &str = "https://${r.host()}";\nconst API_KEY: &str = "${r.base62(32)}";\n`),
  ),
  kind('Swift constant', 'https://docs.swift.org/swift-book/', (r) =>
    file('Keys.swift', `enum Keys {\n  static let clientSecret: String = "${r.base62(40)}"\n}\n`),
  ),
  kind('C definition', 'https://docs.espressif.com/projects/arduino-esp32/en/latest/api/wifi.html', (r) =>
    file('secrets.h', `#define SECRET_SSID "${r.word()}"\n#define SECRET_PASS "${r.password(noQuote)}"\n`),
  ),
  kind('Home Assistant', 'https://www.home-assistant.io/docs/configuration/secrets/', (r) =>
    file('secrets.yaml', `wifi_ssid: ${r.word()}\nwifi_password: ${r.base62(12)}\nmqtt_user: ${r.user()}\n`),
  ),
  kind('NetworkManager', 'https://networkmanager.dev/docs/api/latest/nm-settings-keyfile.html', (r) =>
    file(
      'home.nmconnection',
      `[wifi]\nssid=${r.word()}\n[wifi-security]\nkey-mgmt=wpa-psk\npsk=${r.base62(14)}\n`,
    ),
  ),
  kind('hostapd', 'https://w1.fi/cgit/hostap/plain/hostapd/hostapd.conf', (r) =>
    file('hostapd.conf', `interface=wlan0\nssid=${r.word()}\nwpa=2\nwpa_passphrase=${r.base62(13)}\n`),
  ),
  kind('ipsec secrets', 'https://docs.strongswan.org/docs/latest/config/ipsecSecrets.html', (r) =>
    file(
      'ipsec.secrets',
      `${r.host()} %any : PSK "${r.base62(24)}"\n${r.user()} : EAP "${r.password(noQuote)}"\n`,
    ),
  ),
  kind('OpenVPN login', 'https://community.openvpn.net/openvpn/wiki/Openvpn24ManPage', (r) =>
    file(
      'client.ovpn',
      `client\nremote ${r.host()} 1194\n<auth-user-pass>\n${r.user()}\n${r.base62(14)}\n</auth-user-pass>\n`,
    ),
  ),
  kind(
    'Cisco configuration',
    'https://www.cisco.com/c/en/us/support/docs/security-vpn/remote-authentication-dial-user-service-radius/107614-64.html',
    (r) =>
      file(
        'router.cfg',
        `hostname ${r.word()}\nenable secret 5 $1$${r.base62(4)}$${r.base62(22)}\nusername ${r.user()} privilege 15 password 0 ${r.base62(10)}\n`,
      ),
  ),
  kind('SNMP community', 'http://www.net-snmp.org/docs/man/snmpd.conf.html', (r) =>
    file(
      'snmpd.conf',
      `createUser ${r.user()} SHA "${r.base62(14)}" AES "${r.base62(14)}"\nrouser ${r.user()} priv\n`,
    ),
  ),
  kind('Nginx header', 'https://nginx.org/en/docs/http/ngx_http_proxy_module.html', (r) =>
    file(
      'proxy.conf',
      `location /api/ {\n  proxy_set_header Authorization "Bearer ${r.base62(40)}";\n  proxy_pass https://${r.host()};\n}\n`,
    ),
  ),
  kind('authenticator seed', 'https://github.com/google/google-authenticator/wiki/Key-Uri-Format', (r) =>
    file(
      'otp.txt',
      `otpauth://totp/${r.word()}:${r.email()}?secret=${r.from(base32, 32)}&issuer=${r.word()}\n`,
    ),
  ),
  kind('LDAP directory', 'https://www.rfc-editor.org/rfc/rfc2849', (r) =>
    file(
      'users.ldif',
      `dn: uid=${r.user()},ou=people,dc=example,dc=net\nobjectClass: inetOrgPerson\nuid: ${r.user()}\nuserPassword:: ${base64(r.password())}\n`,
    ),
  ),
  kind('SQL that makes a user', 'https://dev.mysql.com/doc/refman/8.4/en/create-user.html', (r) =>
    file(
      'init.sql',
      `CREATE DATABASE ${r.word()};\nCREATE USER '${r.user()}'@'%' IDENTIFIED BY '${r.password(noQuote)}';\n`,
    ),
  ),
  kind('SQL that makes a role', 'https://www.postgresql.org/docs/current/sql-createrole.html', (r) =>
    file('role.sql', `CREATE ROLE ${r.word()} LOGIN PASSWORD '${r.password(noQuote)}';\n`),
  ),
  kind('CSV of users', 'https://www.rfc-editor.org/rfc/rfc4180', (r) =>
    file(
      'users.csv',
      `Vorname;Nachname;Benutzername;Initialpasswort\n${r.first()};${r.word()};${r.user()};${r.password(csvSafe)}\n`,
    ),
  ),
];
