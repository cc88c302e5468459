// Kinds of files in which people hand secrets around: the half that the authors of rules do not read.
import { bytes, file, kind, utf16, xmlSafe, type Kind } from './made.ts';

export const unseenKindsOfPrograms: readonly Kind[] = [
  // env
  kind('env plain', 'https://github.com/motdotla/dotenv', (r) =>
    file('.env', `PORT=3000\nNODE_ENV=production\nDB_PASSWORD=${r.password()}\n`),
  ),
  kind('env with export', 'https://github.com/motdotla/dotenv', (r) =>
    file('env.sh', `export APP_ENV=prod\nexport API_TOKEN=${r.hex(40)}\n`),
  ),
  kind('env in single quotes with blanks', 'https://hexdocs.pm/dotenvy/', (r) =>
    file('settings.env', `MAIL_USER = '${r.email()}'\nMAIL_PASS = '${r.password()}'\n`),
  ),
  kind(
    'env in UTF-16 from PowerShell',
    'https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_character_encoding',
    (r) =>
      bytes(
        '.env.local',
        utf16(`APP=shop\r\nDATABASE_PASSWORD=${r.password()}\r\nJWT_SECRET=${r.base62(40)}\r\n`),
      ),
  ),
  kind('env of fish', 'https://fishshell.com/docs/current/cmds/set.html', (r) =>
    file('config.fish', `set -gx EDITOR vim\nset -gx NOTION_SECRET secret_${r.base62(43)}\n`),
  ),
  kind(
    'output of printenv',
    'https://www.gnu.org/software/coreutils/manual/html_node/printenv-invocation.html',
    (r) => file('env.log', `SHELL=/bin/bash\nHOME=/root\nREDIS_PASSWORD=${r.password()}\nLANG=en_US.UTF-8\n`),
  ),
  // containers
  kind('docker-compose list', 'https://docs.docker.com/reference/compose-file/services/#environment', (r) =>
    file(
      'compose.yaml',
      `services:\n  db:\n    image: mysql:8\n    environment:\n      - MYSQL_DATABASE=shop\n      - MYSQL_ROOT_PASSWORD=${r.password()}\n`,
    ),
  ),
  kind('Dockerfile with a token', 'https://docs.docker.com/reference/dockerfile/#env', (r) =>
    file('Dockerfile', `FROM node:20\nENV NPM_TOKEN=${r.npm()}\nCOPY . .\nRUN npm ci\n`),
  ),
  kind(
    'kubeconfig with a client key',
    'https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/',
    (r) =>
      file(
        'cluster.yaml',
        `apiVersion: v1\nkind: Config\nclusters:\n- cluster:\n    server: https://${r.host()}:6443\n  name: prod\nusers:\n- name: admin\n  user:\n    client-certificate-data: ${Buffer.from(r.pem('CERTIFICATE', 600)).toString('base64')}\n    client-key-data: ${Buffer.from(r.pem('RSA PRIVATE KEY', 900)).toString('base64')}\n`,
      ),
  ),
  kind('Kubernetes Secret data', 'https://kubernetes.io/docs/concepts/configuration/secret/', (r) =>
    file(
      'secret.yaml',
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  username: ${Buffer.from(r.user()).toString('base64')}\n  password: ${Buffer.from(r.password()).toString('base64')}\n`,
    ),
  ),
  kind('Kubernetes Secret stringData', 'https://kubernetes.io/docs/concepts/configuration/secret/', (r) =>
    file(
      'db-secret.yml',
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  username: ${r.user()}\n  password: "${r.password()}"\n`,
    ),
  ),
  kind(
    'Kubernetes environment of a pod',
    'https://kubernetes.io/docs/tasks/inject-data-application/define-environment-variable-container/',
    (r) =>
      file(
        'deployment.yaml',
        `apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n      - name: api\n        env:\n        - name: DB_HOST\n          value: db\n        - name: DB_PASSWORD\n          value: "${r.password()}"\n`,
      ),
  ),
  // frameworks
  kind('Django settings', 'https://docs.djangoproject.com/en/5.1/ref/settings/', (r) =>
    file(
      'settings.py',
      `DEBUG = False\nSECRET_KEY = 'django-insecure-${r.from('abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)', 50)}'\nALLOWED_HOSTS = ['${r.host()}']\n`,
    ),
  ),
  kind(
    'wp-config passwords',
    'https://developer.wordpress.org/advanced-administration/wordpress/wp-config/',
    (r) =>
      file(
        'wp-config.php',
        `<?php\ndefine( 'DB_NAME', 'wp' );\ndefine( 'DB_USER', '${r.user()}' );\ndefine( 'DB_PASSWORD', '${r.password()}' );\ndefine( 'DB_HOST', 'localhost' );\n`,
      ),
  ),
  kind('PHP PDO', 'https://www.php.net/manual/en/pdo.connections.php', (r) =>
    file(
      'db.php',
      `<?php\n$pdo = new PDO('mysql:host=localhost;dbname=shop', '${r.user()}', '${r.password()}');\n`,
    ),
  ),
  kind('PHP mysqli with variables', 'https://www.php.net/manual/en/mysqli.construct.php', (r) =>
    file(
      'connect.php',
      `<?php\n$servername = "localhost";\n$username = "${r.user()}";\n$password = "${r.password()}";\n$conn = new mysqli($servername, $username, $password);\n`,
    ),
  ),
  kind(
    '.NET web.config',
    'https://learn.microsoft.com/dotnet/framework/data/adonet/connection-strings-and-configuration-files',
    (r) =>
      file(
        'web.config',
        `<?xml version="1.0"?>\n<configuration>\n  <connectionStrings>\n    <add name="Main" connectionString="Data Source=${r.host()};Initial Catalog=Shop;User ID=${r.user()};Password=${r.password(xmlSafe)}" providerName="System.Data.SqlClient" />\n  </connectionStrings>\n</configuration>\n`,
      ),
  ),
  kind(
    'appsettings.json connection',
    'https://learn.microsoft.com/ef/core/miscellaneous/connection-strings',
    (r) =>
      file(
        'appsettings.json',
        JSON.stringify(
          {
            AllowedHosts: '*',
            ConnectionStrings: {
              Default: `Server=${r.host()};Database=shop;User Id=${r.user()};Password=${r.password()};TrustServerCertificate=True`,
            },
          },
          null,
          2,
        ),
      ),
  ),
  kind('Symfony mailer DSN', 'https://symfony.com/doc/current/mailer.html', (r) =>
    file('mailer.env', `MAILER_DSN=smtp://${r.user()}:${r.base62(16)}@${r.host()}:587\n`),
  ),
  kind('Flask config', 'https://flask.palletsprojects.com/en/stable/config/', (r) =>
    file(
      'config.py',
      `class Config:\n    SECRET_KEY = "${r.hex(48)}"\n    MAIL_USERNAME = "${r.email()}"\n    MAIL_PASSWORD = "${r.password()}"\n`,
    ),
  ),
  kind('Tomcat users', 'https://tomcat.apache.org/tomcat-10.1-doc/manager-howto.html', (r) =>
    file(
      'tomcat-users.xml',
      `<?xml version="1.0" encoding="utf-8"?>\n<tomcat-users>\n  <role rolename="manager-gui"/>\n  <user username="${r.user()}" password="${r.password(xmlSafe)}" roles="manager-gui"/>\n</tomcat-users>\n`,
    ),
  ),
  // tools
  kind('Terraform tfvars', 'https://developer.hashicorp.com/terraform/language/values/variables', (r) =>
    file(
      'prod.auto.vars',
      `region      = "eu-west-1"\ndb_username = "${r.user()}"\ndb_password = "${r.password()}"\n`,
    ),
  ),
  kind('netrc', 'https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html', (r) =>
    file('netrc.txt', `machine ${r.host()}\nlogin ${r.user()}\npassword ${r.base62(16)}\n`),
  ),
  kind('netrc on one line', 'https://everything.curl.dev/usingcurl/netrc.html', (r) =>
    file('netrc', `machine ${r.host()} login ${r.user()} password ${r.base62(12)}\n`),
  ),
  kind('my.cnf', 'https://dev.mysql.com/doc/refman/8.4/en/option-files.html', (r) =>
    file('my.cnf', `[client]\nuser=${r.user()}\npassword="${r.password()}"\nhost=${r.host()}\n`),
  ),
  kind('npmrc of a private registry', 'https://docs.npmjs.com/cli/configuring-npm/npmrc', (r) =>
    file(
      'npmrc',
      `always-auth=true\n//npm.${r.host()}/:_auth=${Buffer.from(`${r.user()}:${r.password()}`).toString('base64')}\n`,
    ),
  ),
  kind('pypirc', 'https://packaging.python.org/en/latest/specifications/pypirc/', (r) =>
    file('pypirc.txt', `[pypi]\nusername = __token__\npassword = ${r.pypi()}\n`),
  ),
  kind('gradle.properties', 'https://docs.gradle.org/current/userguide/declaring_repositories.html', (r) =>
    file(
      'gradle.properties',
      `org.gradle.jvmargs=-Xmx2g\nmavenUser=${r.user()}\nmavenPassword=${r.password()}\n`,
    ),
  ),
  kind('gitlab-ci with a token', 'https://docs.gitlab.com/ci/yaml/', (r) =>
    file(
      '.gitlab-ci.yml',
      `variables:\n  DEPLOY_TOKEN: "${r.base62(20)}"\ndeploy:\n  script:\n    - git push https://oauth2:glpat-${r.base64Url(20)}@gitlab.com/a/b.git\n`,
    ),
  ),
  kind(
    'GitHub workflow with a token',
    'https://docs.github.com/actions/reference/workflow-syntax-for-github-actions',
    (r) =>
      file(
        'release.yml',
        `on: push\njobs:\n  release:\n    runs-on: ubuntu-latest\n    env:\n      GH_TOKEN: ${r.github('ghp_')}\n    steps:\n      - run: gh release create v1\n`,
      ),
  ),
  kind('Jenkins credentials in Groovy', 'https://www.jenkins.io/doc/book/pipeline/jenkinsfile/', (r) =>
    file(
      'Jenkinsfile',
      `pipeline {\n  environment {\n    SONAR_TOKEN = 'sqp_${r.hex(40)}'\n  }\n  stages { stage('Build') { steps { sh 'make' } } }\n}\n`,
    ),
  ),
  kind(
    'Composer auth.json',
    'https://getcomposer.org/doc/articles/authentication-for-private-packages.md',
    (r) =>
      file(
        'auth.json',
        JSON.stringify(
          {
            'http-basic': { 'repo.example.org': { username: r.user(), password: r.base62(20) } },
            'github-oauth': { 'github.com': r.github('gho_') },
          },
          null,
          4,
        ),
      ),
  ),
  kind('smb credentials', 'https://manpages.debian.org/bookworm/cifs-utils/mount.cifs.8.en.html', (r) =>
    file('smb.txt', `username=${r.user()}\npassword=${r.password()}\ndomain=CORP\n`),
  ),
];
