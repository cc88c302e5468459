// Kinds of files in which people hand secrets around: the half that the authors of rules do not read.
import {
  base32,
  bech32,
  csvSafe,
  file,
  kind,
  lines70,
  lines76,
  noQuote,
  quotedPrintable,
  xmlSafe,
  type Kind,
} from './made.ts';

export const unseenKindsOfPeople: readonly Kind[] = [
  // notes
  kind('note in English', 'RFC 5322 mail text, plain notes', (r) =>
    file(
      'access.txt',
      `Hi ${r.first()},\n\nhere is the access to the staging server:\n\nhost: ${r.host()}\nuser: ${r.user()}\npassword: ${r.password()}\n\nLet me know if it works.\n`,
    ),
  ),
  kind('note in English on one line', 'plain notes', (r) =>
    file(
      'notes.txt',
      `Meeting ${r.digits(2)}\n- router login is ${r.user()} / password: ${r.password()}\n- buy coffee\n`,
    ),
  ),
  kind('note in German', 'plain notes', (r) =>
    file(
      'Zugang.txt',
      `Hallo ${r.first()},\r\n\r\nhier die Zugangsdaten für den Kundenbereich:\r\n\r\nBenutzername: ${r.user()}\r\nPasswort: ${r.password()}\r\n\r\nViele Grüße\r\n`,
    ),
  ),
  kind('note in Chinese on one line', 'plain notes', (r) =>
    file('备忘.txt', `后台账号: ${r.user()} 密码: ${r.password()}\n请勿外传\n`),
  ),
  kind('Markdown table of logins', 'https://github.github.com/gfm/#tables-extension-', (r) =>
    file(
      'README.md',
      `# Project\n\n| Service | User | Password |\n| --- | --- | --- |\n| Jenkins | ${r.user()} | ${r.password()} |\n| Nexus | ${r.user()} | ${r.password()} |\n`,
    ),
  ),
  kind('Markdown with a key in a code fence', 'https://spec.commonmark.org/', (r) =>
    file(
      'setup.md',
      `## Setup\n\nRun this once:\n\n\`\`\`sh\nexport OPENAI_API_KEY=${r.openAi()}\nnpm start\n\`\`\`\n`,
    ),
  ),
  kind('wiki page with a password', 'https://www.dokuwiki.org/wiki:syntax', (r) =>
    file(
      'server.wiki',
      `====== Server ======\n\n  * Host: ${r.host()}\n  * Login: root\n  * Root password: ${r.password()}\n`,
    ),
  ),
  kind('HTML page with a password table', 'https://html.spec.whatwg.org/', (r) =>
    file(
      'handover.html',
      `<!DOCTYPE html><html><body><h1>Handover</h1><table><tr><th>User</th><td>${r.user()}</td></tr><tr><th>Password</th><td>${r.password()}</td></tr></table></body></html>\n`,
    ),
  ),
  // mail
  kind('mail in quoted-printable', 'RFC 2045 §6.7', (r) =>
    file(
      'mail.eml',
      quotedPrintable(
        `Hallo ${r.first()},\n\nfür den Server gilt ab heute ein neuer Zugang, bitte nicht weitergeben: Benutzer ${r.user()}\nPasswort: ${r.password()}\n\nGrüße\n`,
      ),
    ),
  ),
  kind('HTML mail with a quoted key', 'RFC 2046, https://html.spec.whatwg.org/', (r) =>
    file(
      'mail.html',
      `<html><body><p>Thanks!</p><blockquote type="cite"><div>API&nbsp;key: <b>${r.base62(40)}</b></div></blockquote></body></html>\n`,
    ),
  ),
  kind('HTML mail whose password stands in spans', 'https://html.spec.whatwg.org/', (r) =>
    file(
      'welcome.html',
      `<html><body><p>Your account is ready.</p><p><span style="color:#555">Username:</span> <span>${r.user()}</span><br><span style="color:#555">Password:</span> <span style="font-family:monospace">${r.password()}</span></p></body></html>\n`,
    ),
  ),
  kind('mail in base64', 'RFC 2045 §6.8', (r) =>
    file(
      'encoded.eml',
      `From: ${r.email()}\r\nSubject: access\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines76(Buffer.from(`Dear ${r.first()},\n\nuser: ${r.user()}\npassword: ${r.password()}\n`).toString('base64'))}\r\n`,
    ),
  ),
  // chats
  kind('WhatsApp chat export', 'https://faq.whatsapp.com/1180414079177245', (r) =>
    file(
      'WhatsApp Chat.txt',
      `12/03/2025, 10:1${r.digits(1)} - ${r.first()}: what is the wifi password?\n12/03/2025, 10:20 - ${r.first()}: password: ${r.password()}\n12/03/2025, 10:21 - ${r.first()}: thanks\n`,
    ),
  ),
  kind('Telegram chat export', 'https://telegram.org/blog/export-and-more', (r) =>
    file(
      'result.json',
      JSON.stringify(
        {
          name: r.first(),
          type: 'personal_chat',
          messages: [
            {
              id: 1,
              type: 'message',
              from: r.first(),
              text: `Use this token to access the HTTP API:\n${r.telegram()}`,
            },
          ],
        },
        null,
        1,
      ),
    ),
  ),
  // keys
  kind('OpenSSH private key', 'https://cvsweb.openbsd.org/src/usr.bin/ssh/PROTOCOL.key', (r) =>
    file(
      'deploy',
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines70(Buffer.concat([Buffer.from('openssh-key-v1\0'), r.bytes(380)]).toString('base64'))}\n-----END OPENSSH PRIVATE KEY-----\n`,
    ),
  ),
  kind('RSA key in PEM', 'RFC 7468, RFC 8017', (r) => file('server.txt', r.pem('RSA PRIVATE KEY', 1190))),
  kind('EC key in PEM', 'RFC 5915', (r) => file('ec.txt', r.pem('EC PRIVATE KEY', 121))),
  kind('encrypted PKCS #8 key', 'RFC 5958', (r) =>
    file('encrypted.txt', r.pem('ENCRYPTED PRIVATE KEY', 1250)),
  ),
  kind('age key', 'https://age-encryption.org/v1', (r) =>
    file(
      'age.txt',
      `# created: 2025-03-12T10:00:00+01:00\n# public key: age1${r.from(bech32, 58)}\nAGE-SECRET-KEY-1${r.from(bech32, 58).toUpperCase()}\n`,
    ),
  ),
  kind('minisign secret key', 'https://jedisct1.github.io/minisign/', (r) =>
    file('release.txt', `untrusted comment: minisign encrypted secret key\nRWRTY0Iy${r.base64(204)}\n`),
  ),
  kind('IPsec shared key', 'https://docs.strongswan.org/docs/latest/config/ipsecSecrets.html', (r) =>
    file(
      'ipsec.txt',
      `# ipsec.secrets\n%any ${r.host()} : PSK "${r.base62(24)}"\n${r.user()} : EAP "${r.password(noQuote)}"\n`,
    ),
  ),
  kind('SOPS age environment', 'https://getsops.io/docs/', (r) =>
    file('sops.env', `export SOPS_AGE_KEY=AGE-SECRET-KEY-1${r.from(bech32, 58).toUpperCase()}\n`),
  ),
  // passwords
  kind('Edge passwords CSV', 'https://support.microsoft.com/microsoft-edge', (r) =>
    file(
      'Edge.csv',
      `name,url,username,password\r\n${r.host()},https://${r.host()}/,${r.email()},${r.password(csvSafe)}\r\n`,
    ),
  ),
  kind('Firefox logins CSV', 'https://support.mozilla.org/kb/export-login-data-firefox', (r) =>
    file(
      'logins.csv',
      `"url","username","password","httpRealm","formActionOrigin","guid","timeCreated","timeLastUsed","timePasswordChanged"\r\n"https://${r.host()}","${r.email()}","${r.password(csvSafe)}",,"https://${r.host()}","{${r.uuid()}}","17${r.digits(11)}","17${r.digits(11)}","17${r.digits(11)}"\r\n`,
    ),
  ),
  kind('1Password CSV', 'https://support.1password.com/export/', (r) =>
    file(
      '1Password.csv',
      `Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\nBank,https://${r.host()},${r.email()},${r.password(csvSafe)},,false,false,,\n`,
    ),
  ),
  kind('Bitwarden CSV', 'https://bitwarden.com/help/condition-bitwarden-import/', (r) =>
    file(
      'bitwarden.csv',
      `folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n,,login,Bank,,,0,https://${r.host()},${r.email()},${r.password(csvSafe)},\n`,
    ),
  ),
  kind(
    'LastPass CSV',
    'https://support.lastpass.com/help/how-do-i-nbsp-export-stored-data-from-lastpass-using-a-generic-csv-file',
    (r) =>
      file(
        'lastpass.csv',
        `url,username,password,totp,extra,name,grouping,fav\nhttps://${r.host()}/,${r.email()},${r.password(csvSafe)},,,Bank,Finance,0\n`,
      ),
  ),
  kind('Dashlane CSV', 'https://support.dashlane.com/hc/articles/202625092', (r) =>
    file(
      'credentials-export.csv',
      `username,username2,username3,title,password,note,url,category,otpUrl\n${r.email()},,,Bank,${r.password(csvSafe)},,https://${r.host()},Finance,\n`,
    ),
  ),
  kind('own table of passwords with semicolons', 'RFC 4180, as Excel writes it in German', (r) =>
    file(
      'Liste.csv',
      `Dienst;Benutzer;Passwort;Bemerkung\r\nStrato;${r.user()};${r.password(csvSafe)};\r\nTelekom;${r.email()};${r.password(csvSafe)};alt\r\n`,
    ),
  ),
  kind('authenticator URIs', 'https://github.com/google/google-authenticator/wiki/Key-Uri-Format', (r) =>
    file(
      '2fa.txt',
      `otpauth://totp/Example:${r.email()}?secret=${r.from(base32, 32)}&issuer=Example\notpauth://totp/Git:${r.user()}?secret=${r.from(base32, 16)}&issuer=Git\n`,
    ),
  ),
  kind(
    'recovery codes',
    'https://docs.github.com/authentication/securing-your-account-with-two-factor-authentication-2fa/configuring-two-factor-authentication-recovery-methods',
    (r) =>
      file(
        'recovery.txt',
        `GitHub recovery codes\n\n${Array.from({ length: 16 }, () => `${r.hex(5)}-${r.hex(5)}`).join('\n')}\n`,
      ),
  ),
  kind('seed phrase of 12 words', 'https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki', (r) =>
    file('wallet note.txt', `My recovery phrase, keep safe:\n\n${r.phrase(12)}\n`),
  ),
  kind(
    'seed phrase as a numbered list',
    'https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki',
    (r) =>
      file(
        'ledger.txt',
        `Ledger Nano recovery sheet\n${r
          .phrase(24)
          .split(' ')
          .map((word, at) => `${at + 1}. ${word}`)
          .join('\n')}\n`,
      ),
  ),
  // devices
  kind('wpa_supplicant.conf', 'https://w1.fi/cgit/hostap/plain/wpa_supplicant/wpa_supplicant.conf', (r) =>
    file('wpa_supplicant.conf', `country=DE\nnetwork={\n\tssid="Home"\n\tpsk="${r.password(noQuote)}"\n}\n`),
  ),
  kind(
    'Cisco with a plain password and community',
    'https://www.cisco.com/c/en/us/td/docs/ios/security/command/reference/sec_book.html',
    (r) =>
      file(
        'switch-confg',
        `hostname sw1\nusername ${r.user()} password 0 ${r.base62(10)}\nsnmp-server community ${r.base62(10)} RW\nline con 0\n password ${r.base62(9)}\n login\n`,
      ),
  ),
  kind(
    'MikroTik export',
    'https://help.mikrotik.com/docs/spaces/ROS/pages/328155/Configuration+Management',
    (r) =>
      file(
        'export.rsc',
        `# mar/12/2025 10:00:00 by RouterOS 7.10\n/interface wireless security-profiles\nset [ find default=yes ] wpa2-pre-shared-key=${r.base62(12)}\n/ppp secret\nadd name=${r.user()} password=${r.base62(10)}\n`,
      ),
  ),
  kind('WinSCP.ini', 'https://winscp.net/eng/docs/config', (r) =>
    file(
      'WinSCP.ini',
      `[Sessions\\${r.user()}@${r.host()}]\r\nHostName=${r.host()}\r\nUserName=${r.user()}\r\nPassword=A35C${r.hex(96).toUpperCase()}\r\n`,
    ),
  ),
  kind('VNC registry export', 'https://www.tightvnc.com/docs.php', (r) =>
    file(
      'vnc.reg',
      `REGEDIT4\r\n\r\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\TightVNC\\Server]\r\n"Password"=hex:${Array.from({ length: 8 }, () => r.hex(2)).join(',')}\r\n`,
    ),
  ),
  kind(
    'RDP file with a password',
    'https://learn.microsoft.com/windows-server/remote/remote-desktop-services/clients/rdp-files',
    (r) =>
      file(
        'office.rdp',
        `full address:s:${r.host()}\r\nusername:s:CORP\\${r.user()}\r\npassword 51:b:01000000D08C9DDF0115D1118C7A00C04FC297EB${r.hex(400).toUpperCase()}\r\n`,
      ),
  ),
  kind(
    'unattend.xml',
    'https://learn.microsoft.com/windows-hardware/customize/desktop/unattend/microsoft-windows-shell-setup-autologon-password',
    (r) =>
      file(
        'autounattend.xml',
        `<unattend xmlns="urn:schemas-microsoft-com:unattend"><settings pass="oobeSystem"><component name="Microsoft-Windows-Shell-Setup"><AutoLogon><Password><Value>${r.password(xmlSafe)}</Value><PlainText>true</PlainText></Password><Username>${r.user()}</Username></AutoLogon></component></settings></unattend>\n`,
      ),
  ),
  kind('Apple Wi-Fi profile', 'https://developer.apple.com/documentation/devicemanagement/wifi', (r) =>
    file(
      'Home.mobileconfig',
      `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>PayloadContent</key><array><dict><key>SSID_STR</key><string>Home</string><key>Password</key><string>${r.password(xmlSafe)}</string></dict></array></dict></plist>\n`,
    ),
  ),
  kind('Home Assistant secrets', 'https://www.home-assistant.io/docs/configuration/secrets/', (r) =>
    file('ha.yaml', `http_password: ${r.password()}\nmqtt_password: ${r.password()}\nlatitude: 52.1\n`),
  ),
];
