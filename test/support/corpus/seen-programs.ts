// Kinds of files in which people hand secrets around: the half that the rules are written with.
import { file, kind, noColon, salt, xmlSafe, type Kind } from './made.ts';

export const seenKindsOfPrograms: readonly Kind[] = [
  // env
  kind('env with a trailing comment', 'https://github.com/motdotla/dotenv#comments', (r) =>
    file('app.env', `DEBUG=0\nAPI_TOKEN=${r.base62(32)} # prod\n`),
  ),
  kind('env in double quotes', 'https://github.com/motdotla/dotenv', (r) =>
    file('.env.production', `APP_URL="https://${r.host()}"\nSECRET_KEY="${r.base62(48)}"\n`),
  ),
  kind(
    'env of Windows set lines',
    'https://learn.microsoft.com/windows-server/administration/windows-commands/set_1',
    (r) =>
      file(
        'start.bat',
        `@echo off\r\nset DB_USER=${r.user()}\r\nset DB_PASSWORD=${r.password()}\r\nset "CLIENT_SECRET=${r.base62(32)}"\r\nnode server.js\r\n`,
      ),
  ),
  kind(
    'env of systemd',
    'https://www.freedesktop.org/software/systemd/man/systemd.exec.html#Environment=',
    (r) =>
      file(
        'bot.service',
        `[Unit]\nDescription=Bot\n\n[Service]\nEnvironment=BOT_TOKEN=${r.base62(36)}\nExecStart=/opt/bot/run\n`,
      ),
  ),
  kind(
    'env of PowerShell',
    'https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_environment_variables',
    (r) =>
      file(
        'deploy.ps1',
        `$env:DEPLOY_ENV = "prod"\r\n$env:DEPLOY_API_KEY = "${r.base62(40)}"\r\n./deploy.exe\r\n`,
      ),
  ),
  kind('env with a database URL', 'https://12factor.net/config', (r) =>
    file('prod.env', `DATABASE_URL=postgres://${r.user()}:${r.base62(16)}@${r.host()}:5432/app\n`),
  ),
  // containers
  kind('docker-compose map', 'https://docs.docker.com/reference/compose-file/services/#environment', (r) =>
    file(
      'docker-compose.yml',
      `services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_USER: ${r.user()}\n      POSTGRES_PASSWORD: ${r.password()}\n`,
    ),
  ),
  kind('docker config auth', 'https://docs.docker.com/reference/cli/docker/login/', (r) =>
    file(
      'config.json',
      JSON.stringify(
        {
          auths: {
            'https://index.docker.io/v1/': {
              auth: Buffer.from(`${r.user()}:${r.base62(20)}`).toString('base64'),
            },
          },
        },
        null,
        '\t',
      ),
    ),
  ),
  kind('kubeconfig with a token', 'https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/', (r) =>
    file(
      'k3s.yaml',
      `apiVersion: v1\nkind: Config\nusers:\n- name: deploy\n  user:\n    token: ${r.base62(64)}\n`,
    ),
  ),
  kind('Helm values', 'https://helm.sh/docs/chart_template_guide/values_files/', (r) =>
    file(
      'values.yaml',
      `replicaCount: 2\nauth:\n  adminUser: admin\n  adminPassword: ${r.password()}\nimage:\n  tag: 1.2.3\n`,
    ),
  ),
  kind('Docker Swarm init output', 'https://docs.docker.com/engine/swarm/swarm-tutorial/create-swarm/', (r) =>
    file(
      'swarm.txt',
      `To add a worker to this swarm, run the following command:\n\n    docker swarm join --token SWMTKN-1-${r.lower(50)}-${r.lower(25)} 192.168.99.100:2377\n`,
    ),
  ),
  // frameworks
  kind('Spring properties', 'https://docs.spring.io/spring-boot/appendix/application-properties/', (r) =>
    file(
      'application.properties',
      `server.port=8080\nspring.datasource.url=jdbc:postgresql://${r.host()}/app\nspring.datasource.username=${r.user()}\nspring.datasource.password=${r.password()}\n`,
    ),
  ),
  kind('Spring YAML', 'https://docs.spring.io/spring-boot/appendix/application-properties/', (r) =>
    file(
      'application-prod.yml',
      `spring:\n  mail:\n    host: ${r.host()}\n    username: ${r.email()}\n    password: ${r.password()}\n`,
    ),
  ),
  kind('Rails database.yml', 'https://guides.rubyonrails.org/configuring.html#configuring-a-database', (r) =>
    file(
      'database.yml',
      `production:\n  adapter: postgresql\n  database: shop\n  username: ${r.user()}\n  password: ${r.password()}\n`,
    ),
  ),
  kind('Rails secrets', 'https://guides.rubyonrails.org/security.html', (r) =>
    file('rails.yml', `production:\n  secret_key_base: ${r.hex(128)}\n`),
  ),
  kind('Django database', 'https://docs.djangoproject.com/en/5.1/ref/settings/#databases', (r) =>
    file(
      'local_settings.py',
      `DATABASES = {\n    'default': {\n        'ENGINE': 'django.db.backends.mysql',\n        'NAME': 'shop',\n        'USER': '${r.user()}',\n        'PASSWORD': '${r.password()}',\n    }\n}\n`,
    ),
  ),
  kind('Laravel env', 'https://laravel.com/docs/11.x/encryption', (r) =>
    file('laravel.env', `APP_NAME=Shop\nAPP_KEY=base64:${r.base64(43)}=\nAPP_DEBUG=false\n`),
  ),
  kind(
    'wp-config salts',
    'https://developer.wordpress.org/advanced-administration/security/brute-force/',
    (r) =>
      file(
        'wp-salt.php',
        `<?php\ndefine('AUTH_KEY',         '${r.from(salt, 64)}');\ndefine('SECURE_AUTH_KEY',  '${r.from(salt, 64)}');\ndefine('NONCE_SALT',       '${r.from(salt, 64)}');\n`,
      ),
  ),
  kind(
    '.NET appSettings',
    'https://learn.microsoft.com/dotnet/framework/configure-apps/file-schema/appsettings/',
    (r) =>
      file(
        'app.config',
        `<configuration>\n  <appSettings>\n    <add key="SmtpHost" value="${r.host()}" />\n    <add key="SmtpPassword" value="${r.password(xmlSafe)}" />\n  </appSettings>\n</configuration>\n`,
      ),
  ),
  kind('JavaScript configuration', 'https://developer.mozilla.org/docs/Web/JavaScript', (r) =>
    file(
      'config.js',
      `module.exports = {\n  port: 3000,\n  jwtSecret: '${r.base62(32)}',\n  db: { user: '${r.user()}', password: '${r.password()}' },\n};\n`,
    ),
  ),
  kind('TOML configuration', 'https://toml.io/en/v1.0.0', (r) =>
    file(
      'config.toml',
      `[server]\nport = 80\n\n[database]\nuser = "${r.user()}"\npassword = "${r.password()}"\n`,
    ),
  ),
  // tools
  kind('Terraform state', 'https://developer.hashicorp.com/terraform/language/state', (r) =>
    file(
      'state.json',
      JSON.stringify(
        {
          version: 4,
          terraform_version: '1.9.0',
          resources: [
            {
              mode: 'managed',
              type: 'aws_db_instance',
              instances: [{ attributes: { username: r.user(), password: r.password(), port: 5432 } }],
            },
          ],
        },
        null,
        2,
      ),
    ),
  ),
  kind(
    'Ansible inventory',
    'https://docs.ansible.com/ansible/latest/inventory_guide/intro_inventory.html',
    (r) =>
      file(
        'hosts.ini',
        `[web]\n${r.host()} ansible_user=${r.user()} ansible_password=${r.password()} ansible_become_pass=${r.password()}\n`,
      ),
  ),
  kind(
    'Ansible group variables',
    'https://docs.ansible.com/ansible/latest/inventory_guide/intro_inventory.html',
    (r) => file('all.yml', `---\nansible_user: ${r.user()}\nansible_ssh_pass: "${r.password()}"\n`),
  ),
  kind('pgpass', 'https://www.postgresql.org/docs/current/libpq-pgpass.html', (r) =>
    file(
      'pgpass.txt',
      `# hostname:port:database:username:password\n${r.host()}:5432:shop:${r.user()}:${r.password(noColon)}\n`,
    ),
  ),
  kind('npmrc with an npm token', 'https://docs.npmjs.com/cli/configuring-npm/npmrc', (r) =>
    file('npmrc.txt', `registry=https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken=${r.npm()}\n`),
  ),
  kind('pip.conf with a password', 'https://pip.pypa.io/en/stable/topics/authentication/', (r) =>
    file('pip.conf', `[global]\nindex-url = https://${r.user()}:${r.base62(16)}@pypi.${r.host()}/simple\n`),
  ),
  kind('Android signing', 'https://developer.android.com/studio/publish/app-signing', (r) =>
    file(
      'signing.properties',
      `storeFile=release.jks\nstorePassword=${r.password()}\nkeyAlias=upload\nkeyPassword=${r.password()}\n`,
    ),
  ),
  kind('Maven settings', 'https://maven.apache.org/settings.html#servers', (r) =>
    file(
      'settings.xml',
      `<settings>\n  <servers>\n    <server>\n      <id>nexus</id>\n      <username>${r.user()}</username>\n      <password>${r.password(xmlSafe)}</password>\n    </server>\n  </servers>\n</settings>\n`,
    ),
  ),
  kind('nuget.config', 'https://learn.microsoft.com/nuget/reference/nuget-config-file', (r) =>
    file(
      'nuget.config',
      `<configuration>\n  <packageSourceCredentials>\n    <Contoso>\n      <add key="Username" value="${r.user()}" />\n      <add key="ClearTextPassword" value="${r.password(xmlSafe)}" />\n    </Contoso>\n  </packageSourceCredentials>\n</configuration>\n`,
    ),
  ),
  kind('Cargo credentials', 'https://doc.rust-lang.org/cargo/reference/config.html#credentials', (r) =>
    file('cargo.toml', `[registry]\ntoken = "cio${r.base62(32)}"\n`),
  ),
  kind('msmtp settings', 'https://marlam.de/msmtp/msmtp.html', (r) =>
    file(
      'msmtprc',
      `account default\nhost ${r.host()}\nport 587\nauth on\nuser ${r.email()}\npassword ${r.password()}\n`,
    ),
  ),
  kind('LDAP settings', 'https://www.openldap.org/software/man.cgi?query=ldap.conf', (r) =>
    file(
      'sssd.conf',
      `[domain/corp]\nldap_uri = ldaps://${r.host()}\nldap_default_bind_dn = cn=reader,dc=corp\nldap_default_authtok = ${r.password()}\n`,
    ),
  ),
];
