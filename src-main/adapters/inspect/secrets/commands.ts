// Command lines: the arguments of programs that are secrets, as the manuals of the programs show them.
import { sieveOf } from './sieve.ts';
import { isGiven } from './values.ts';

/**
 * A form as in a synopsis, and the programs whose manuals show it. PW is the secret. Other words in capitals stand for
 * any word, `*` for further letters, three dots for further arguments, and `|` is between two of a kind.
 */
const forms: readonly (readonly [form: string, programs: string])[] = [
  [
    '-p PW',
    'sshpass rdesktop nxc netexec crackmapexec evil-winrm hydra medusa enum4linux enum4linux-ng smbmap bloodhound-python certipy ldapdomaindump cqlsh mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat couchbase-cli cypher-shell beeline steghide psexec PsExec certutil ncftp ncftpput ncftpget racadm esxcli yt-dlp youtube-dl gallery-dl mutool sendxmpp register_new_matrix_user ipmipower ipmiconsole bmc-info rabbitmqadmin vncdo vncdotool check_mysql check_pgsql unar lsar aescrypt airdecap-ng f5fpc kadmin pwpolicy idevicebackup isql-fb gsec gbak tsh twine duck mbsync snowsql pywerview bloodyAD ldeep lsassy adidnsdump mitmdump ikescan',
  ],
  [
    '-P PW',
    'sqlcmd bcp freebcp tsql isql mosquitto_pub mosquitto_sub mosquitto_rr zip unzip zipcloak ipmitool httping check_ldap medusa gobuster p4 vmrun dscl ssh-keygen knife',
  ],
  [
    '-w PW',
    'ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami ldapcompare ldapmodrdn kadmin squidclient ipa-client-install irssi',
  ],
  ['-a|-p PW', 'ipa-server-install'],
  ['-a PW', 'redis-cli redis-benchmark valkey-cli keydb-cli'],
  ['-k|-K|-key PW', 'openssl ccrypt mcrypt zpaq outguess swift'],
  ['-pw PW', 'plink putty pscp psftp nodetool'],
  ['-pw|--pass|-o PW', 'kadmin kadmin.local ktpass'],
  ['-ap|--auth-password|-xp PW', 'swaks sendemail sendEmail sipp'],
  ['-pass|-passwd|-password PW', 'osslsigncode x11vnc influx asadmin wsadmin dsadd dsmod'],
  ['-pwd PW', 'dsadd dsmod'],
  ['-upw|-opw PW', 'pdftotext pdfinfo pdfimages pdftohtml pdftoppm pdfseparate pdffonts'],
  ['input_pw|user_pw|owner_pw PW', 'pdftk'],
  [
    '-A|-X PW',
    'snmpget snmpwalk snmpset snmpgetnext snmpbulkwalk snmpbulkget snmptrap snmpinform snmptable snmpstatus snmpdf snmptranslate snmpusm net-snmp-create-v3-user net-snmp-config',
  ],
  ['-N|-P PW', 'ssh-keygen'],
  ['-gp|-vp PW', 'vmrun'],
  [
    '-pPW',
    'mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlslap mysqlbinlog mysqlsh mariadb mariadb-dump mariadb-admin mariadb-import mydumper innobackupex 7z 7za 7zz 7zr rar unrar',
  ],
  ['-hpPW', 'rar unrar'],
  ['-mhe=on -pPW', '7z'],
  ['-gPW', 'arj'],
  ['-pass*|-pass pass:PW', 'openssl'],
  ['--ks-pass|--key-pass pass:PW', 'apksigner'],
  ['/p:PW', 'xfreerdp wlfreerdp freerdp sdl-freerdp xfreerdp3'],
  [
    '/p|/rp|/pass PW',
    'signtool driverquery systeminfo tasklist taskkill schtasks getmac eventcreate openfiles gpresult typeperf logman whoami waitfor bitsadmin ktpass pvk2pfx',
  ],
  ['-u|--user|-U|--proxy-user USER:PW', 'curl curlie'],
  ['-a|--auth USER:PW', 'http https xh xhs hey miniserve check_http'],
  ['-A|-P USER:PW', 'ab'],
  ['-n|--auth USER:PW', 'transmission-remote transmission-cli darkhttpd'],
  ['-c|--credential USER:PW', 'ttyd gotty'],
  ['-basic-auth|--basic-auth|--basic USER:PW', 'simplehttpserver wfuzz nuclei httpx'],
  ['--creds|--src-creds|--dest-creds USER:PW', 'skopeo buildah podman'],
  ['-auth|--auth-cred|-id|-credentials USER:PW', 'java sqlmap nikto solr'],
  ['-u USER,PW', 'lftp'],
  ['-t PW', 'doctl flyctl fly vercel'],
  ['auth USER PW', 'cf'],
  ['login USER PW', 'bw'],
  ['unlock|login PW', 'bw vault cargo'],
  ['operator unseal PW', 'vault'],
  ['-*b* FILE USER PW', 'htpasswd htdbm'],
  ['-*n* USER PW', 'htpasswd'],
  ['use DEVICE SHARE PW', 'net'],
  ['use ... /user:USER PW', 'net'],
  ['user USER PW', 'net'],
  ['key=PW', 'netsh'],
  ['+login|-login USER PW', 'steam steamcmd steamcmd.sh'],
  ['-setairportnetwork DEVICE NAME PW', 'networksetup'],
  ['create-keychain|unlock-keychain|set-keychain-password|set-key-partition-list ... -p|-k PW', 'security'],
  ['add-generic-password|add-internet-password ... -w PW', 'security'],
  ['import ... -P PW', 'security'],
  ['encryption on PW', 'idevicebackup2'],
  ['changepw PW', 'idevicebackup2'],
  ['add_user|change_password|authenticate_user USER PW', 'rabbitmqctl'],
  ['reset-admin-password ... PW', 'grafana-cli grafana'],
  ['set-initial-password PW', 'neo4j-admin'],
  ['password PW', 'mysqladmin mariadb-admin'],
  ['register|change_password USER HOST PW', 'ejabberdctl prosodyctl'],
  ['create|add USER PW', 'samba-tool'],
  ['USER PW HOST PORT PW', 'radtest'],
  ['USER/PW@HOST', 'sqlplus sqlldr exp imp expdp impdp rman'],
  ['SSID PW', 'wpa_passphrase'],
  ['DEVICE DEVICE NAME PW', 'create_ap'],
  ['-n DEVICE NAME PW', 'create_ap'],
  ['accounts add NAME PW', 'ykman'],
  ['-*b*|--base32|--totp* PW', 'oathtool'],
  ['authtoken|add-authtoken PW', 'ngrok'],
  ['service install PW', 'cloudflared'],
  ['alias set NAME URL USER PW', 'mc'],
  ['authorize ID PW', 'b2'],
  ['authorize-account ID PW', 'b2'],
  ['obscure PW', 'rclone'],
  ['setapikey PW', 'nuget'],
  ['push ... -k PW', 'dotnet nuget'],
  ['config ... http-basic.HOST USER PW', 'poetry composer'],
  ['config ... pypi-token.NAME PW', 'poetry'],
  ['-pPW|--password PW', 'doveadm'],
  ['pw ... -p PW', 'doveadm caddy'],
  ['hash-password ... --plaintext|-p PW', 'caddy'],
  ['secret set NAME ... -b|--body PW', 'gh'],
  ['--secret NAME PW', 'pulumi'],
  ['write SERVICE NAME PW', 'chamber'],
  ['--encrypt-password|-emp|-ep PW', 'mvn'],
  ['--encrypt PW PW', 'qpdf'],
  ['connect USER using PW', 'db2'],
  ['-storepasswd PW', 'x11vnc'],
  ['passwd PW', 'teamviewer'],
  ['passwd|-passwd PATH PW', 'dscl'],
];

/** Between two arguments, also of a list in code. A backslash continues the line. */
const gap = String.raw`["']?(?:,\s?|[ \t]{1,3}(?:\\\r?\n[ \t]{0,20})?)["']?`;
const wordForm = (word: string): string =>
  `(?:${word.replace(/PW|\b[A-Z]{2,}|[*.+/]/g, (part, at: number) => {
    const behind = word.charAt(at + part.length).replace('|', '');
    if (part === '*') return String.raw`\w{0,8}`;
    if (part === 'PW') return `["']?([^\\s"'\`${behind}]{6,100})`;
    return /[A-Z]/.test(part) ? `[^\\s"'${behind}]{1,80}` : `\\${part}`;
  })})`;

/** An option of one letter may have its value directly behind it. */
const joint = (word: string): string => {
  if (/^-[A-Za-z](?:\||$)/.test(word)) return `(?:${gap}|=?["']?)`;
  return /^[-/]/.test(word) ? `(?:${gap}|[=:]["']?)` : gap;
};

const start = `(?<![^\\s"',])`;
const formOf = (synopsis: string): RegExp => {
  const words = synopsis.split(' ');
  const parts = words.map((word, at) => {
    if (word === '...') return `[^]{0,300}?${start}`;
    const next = words[at + 1] ?? '...';
    return wordForm(word) + (next === '...' ? '' : joint(word));
  });
  return new RegExp(start + parts.join(''), 'g');
};

const programs = new Map<string, RegExp[]>();
for (const [form, names] of forms) {
  const pattern = formOf(form);
  for (const name of names.split(' ')) programs.set(name, [...(programs.get(name) ?? []), pattern]);
}

/**
 * The arguments: up to the end of the line, which a backslash moves. What ends a command may also be in a value, and
 * each shell quotes in its own way, so the next command on the line counts, too.
 */
const args = /(?:\.exe)?["']?[\s,]((?:[^\n\\]|\\[^]){6,400})/y;
/** In one piece of a text. A program's name is often a word as well. */
const mostTries = 500;

/** Where the first program with a secret in its arguments begins, or -1. */
export const findCommand = (text: string, { mayHave } = sieveOf(text)): number => {
  for (const [program, patterns] of programs) {
    // A short name is a part of many words.
    const needle = program.length < 4 ? `${program} ` : program;
    let at = mayHave(needle) ? text.indexOf(needle) : -1;
    for (let tries = 0; at !== -1 && tries < mostTries; at = text.indexOf(needle, at + program.length)) {
      args.lastIndex = at + program.length;
      const given = /[\w.-]/.test(text.charAt(at - 1)) ? undefined : args.exec(text)?.[1];
      if (given === undefined) continue;
      tries += 1;
      for (const pattern of patterns) {
        for (const [, ...secrets] of given.matchAll(pattern)) {
          if (secrets.some(isGiven)) return at;
        }
      }
    }
  }
  return -1;
};
