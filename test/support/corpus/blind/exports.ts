// What people export, keys, and letters with a secret in them, written from the documents of their makers by an author
// who had not read the rules.
/* eslint-disable @typescript-eslint/no-unnecessary-template-expression -- marks in parts: no scanner takes this file for a leak */
import { bytes, csvSafe, file, kind, lines64, quotedPrintable, utf16, xmlSafe, type Kind } from '../made.ts';

export const blindExports: readonly Kind[] = [
  // exports of password managers and browsers
  kind('1Password CSV', 'https://support.1password.com/export/', (r) =>
    file(
      '1p.csv',
      `Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\n${r.word()},https://${r.host()},${r.user()},${r.password(csvSafe)},,false,false,,\n`,
    ),
  ),
  kind('Dashlane CSV', 'https://support.dashlane.com/hc/articles/202625092', (r) =>
    file(
      'credentials.csv',
      `username,username2,username3,title,password,note,url,category,otpUrl\n${r.email()},,,${r.word()},${r.password(csvSafe)},,https://${r.host()},,\n`,
    ),
  ),
  kind('NordPass CSV', 'https://support.nordpass.com/hc/articles/360002376198', (r) =>
    file(
      'nordpass.csv',
      `name,url,username,password,note,cardholdername,cardnumber,cvc,expirydate,folder\n${r.word()},https://${r.host()},${r.user()},${r.password(csvSafe)},,,,,,\n`,
    ),
  ),
  kind('Proton Pass JSON', 'https://proton.me/support/pass-export', (r) =>
    file(
      'data.json',
      `${JSON.stringify({ version: '1.29', vaults: { v: { items: [{ data: { type: 'login', metadata: { name: r.word() }, content: { itemEmail: r.email(), password: r.password(), totpUri: '' } } }] } } })}\n`,
    ),
  ),
  kind('KeePass 2 XML', 'https://keepass.info/help/kb/kb_xml.html', (r) =>
    file(
      'kp.xml',
      `<KeePassFile><Root><Group><Entry>\n<String><Key>Password</Key><Value>${r.password(xmlSafe)}</Value></String>\n<String><Key>Title</Key><Value>${r.word()}</Value></String>\n</Entry></Group></Root></KeePassFile>\n`,
    ),
  ),
  kind('Enpass JSON', 'https://support.enpass.io/app/export/exporting_data_from_enpass.htm', (r) =>
    file(
      'enpass.json',
      `${JSON.stringify({
        items: [
          {
            title: r.word(),
            category: 'login',
            fields: [
              { label: 'Username', type: 'username', value: r.user() },
              { label: 'Password', type: 'password', sensitive: 1, value: r.password() },
            ],
          },
        ],
      })}\n`,
    ),
  ),
  kind('export of Edge', 'https://support.microsoft.com/microsoft-edge', (r) =>
    file(
      'edge.csv',
      `name,url,username,password,note\r\n${r.host()},https://${r.host()}/,${r.email()},${r.password(csvSafe)},\r\n`,
    ),
  ),
  kind('export of Safari in UTF-16', 'https://support.apple.com/guide/safari', (r) =>
    bytes(
      'safari.csv',
      utf16(
        `Title,URL,Username,Password,Notes,OTPAuth\n${r.word()},https://${r.host()}/,${r.user()},${r.password(csvSafe)},,\n`,
      ),
    ),
  ),
  kind('Aegis plain', 'https://github.com/beemdevelopment/Aegis/blob/master/docs/vault.md', (r) =>
    file(
      'aegis.json',
      `${JSON.stringify({ version: 1, db: { entries: [{ type: 'totp', name: r.user(), issuer: r.word(), info: { secret: r.upper(32).replace(/[0189]/g, 'A'), algo: 'SHA1', digits: 6, period: 30 } }] } })}\n`,
    ),
  ),
  kind('cookies of Netscape', 'https://curl.se/docs/http-cookies.html', (r) =>
    file(
      'cookies.txt',
      `# Netscape HTTP Cookie File\n.${r.host()}\tTRUE\t/\tTRUE\t1799999999\tsessionid\t${r.lower(32)}\n`,
    ),
  ),
  kind(
    'recovery codes',
    'https://docs.github.com/authentication/securing-your-account-with-two-factor-authentication-2fa',
    (r) =>
      file(
        'github-recovery-codes.txt',
        `${Array.from({ length: 16 }, () => `${r.hex(5)}-${r.hex(5)}`).join('\n')}\n`,
      ),
  ),
  kind(
    'BitLocker recovery key',
    'https://learn.microsoft.com/windows/security/operating-system-security/data-protection/bitlocker/',
    (r) =>
      bytes(
        'BitLocker.TXT',
        utf16(
          `BitLocker Drive Encryption recovery key\r\n\r\nIdentifier:\r\n\r\n\t${r.uuid().toUpperCase()}\r\n\r\nRecovery Key:\r\n\r\n\t${Array.from({ length: 8 }, () => r.digits(6)).join('-')}\r\n`,
        ),
      ),
  ),
  // keys
  kind('key of OpenSSH', 'https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.key', (r) =>
    file(
      'id_ed25519',
      `-----BEGIN ${'OPENSSH'} PRIVATE KEY-----\n${lines64(`b3BlbnNzaC1rZXktdjEAAAAA${r.base64(320)}`)}\n-----END ${'OPENSSH'} PRIVATE KEY-----\n`,
    ),
  ),
  kind('key of PuTTY', 'https://the.earth.li/~sgtatham/putty/0.81/htmldoc/AppendixC.html', (r) =>
    file(
      'me.ppk',
      `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: ${r.user()}\nPublic-Lines: 2\n${lines64(r.base64(68))}\nPrivate-Lines: 1\n${r.base64(43)}=\nPrivate-MAC: ${r.hex(64)}\n`,
    ),
  ),
  kind('key of PGP', 'https://www.rfc-editor.org/rfc/rfc4880#section-6.2', (r) =>
    file(
      'secret.asc',
      `-----BEGIN ${'PGP'} PRIVATE KEY BLOCK-----\n\n${lines64(r.base64(900))}\n=${r.base64(4)}\n-----END ${'PGP'} PRIVATE KEY BLOCK-----\n`,
    ),
  ),
  kind('WireGuard', 'https://man7.org/linux/man-pages/man8/wg.8.html', (r) =>
    file(
      'wg0.conf',
      `[Interface]\nAddress = 10.9.0.2/24\nPrivateKey = ${r.bytes(32).toString('base64')}\n[Peer]\nPublicKey = ${r.bytes(32).toString('base64')}\nPresharedKey = ${r.bytes(32).toString('base64')}\n`,
    ),
  ),
  kind('age', 'https://github.com/FiloSottile/age', (r) =>
    file(
      'keys.txt',
      `# created: 2026-03-12T10:00:00Z\n# public key: age1${r.lower(58)}\nAGE-SECRET-KEY-1${r.from('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}\n`,
    ),
  ),
  kind('JWK with RSA', 'https://www.rfc-editor.org/rfc/rfc7517', (r) =>
    file(
      'jwk.json',
      `${JSON.stringify({ keys: [{ kty: 'RSA', kid: r.word(), n: r.base64Url(342), e: 'AQAB', d: r.base64Url(342), p: r.base64Url(171) }] })}\n`,
    ),
  ),
  kind(
    'OpenVPN with its key inside',
    'https://openvpn.net/community-resources/reference-manual-for-openvpn-2-6/',
    (r) => file('vpn.ovpn', `client\nremote ${r.host()} 1194\n<key>\n${r.pem('PRIVATE KEY', 1216)}</key>\n`),
  ),
  kind('seed words', 'https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki', (r) =>
    file('wallet.txt', `My wallet, recovery phrase:\n${r.phrase(12)}\n`),
  ),
  kind('key of a wallet', 'https://ethereum.org/developers/docs/accounts/', (r) =>
    file(
      'hardhat.config.js',
      `module.exports = { networks: { main: { url: "https://${r.host()}", accounts: ["0x${r.hex(64)}"] } } };\n`,
    ),
  ),
  // letters
  kind('letter of the helpdesk', 'plain text', (r) =>
    file(
      'welcome.eml',
      `From: it@${r.host()}\nTo: ${r.email()}\nSubject: Your account\n\nHi ${r.first()},\n\nyour login is ${r.user()} and your temporary password is ${r.password()}\n\nIT\n`,
    ),
  ),
  kind('answer that quotes a password', 'RFC 3676', (r) =>
    file(
      're.txt',
      `Thanks!\n\nOn Monday ${r.first()} wrote:\n> Server: ${r.host()}\n> User: ${r.user()}\n> Pass: ${r.password()}\n`,
    ),
  ),
  kind('HTML mail', 'https://html.spec.whatwg.org/', (r) =>
    file(
      'mail.html',
      `<html><body><p>Username: <strong>${r.user()}</strong><br>Password: <strong>${r.password(xmlSafe)}</strong></p></body></html>\n`,
    ),
  ),
  kind('quoted-printable in French', 'RFC 2045', (r) =>
    file(
      'acces.eml',
      quotedPrintable(`Bonjour,\n\nIdentifiant : ${r.user()}\nMot de passe : ${r.password()}\n`),
    ),
  ),
  kind('RTF', 'https://www.biblioscape.com/rtf15_spec.htm', (r) =>
    file(
      'wlan.rtf',
      `{\\rtf1\\ansi\\deff0 {\\fonttbl {\\f0 Arial;}}\n\\f0\\fs20 WLAN: ${r.word()}\\par\nPasswort: ${r.password()}\\par\n}\n`,
    ),
  ),
  kind('table of Markdown', 'https://github.github.com/gfm/#tables-extension-', (r) =>
    file(
      'access.md',
      `| System | User | Password |\n| --- | --- | --- |\n| ${r.word()} | ${r.user()} | ${r.password('|`')} |\n`,
    ),
  ),
  kind('wireless card', 'https://github.com/zxing/zxing/wiki/Barcode-Contents', (r) =>
    file('wifi.txt', `WIFI:T:WPA;S:${r.word()};P:${r.base62(14)};;\n`),
  ),
  kind('chat', 'https://slack.com/help/articles/220556107', (r) =>
    file(
      'chat.json',
      `${JSON.stringify([{ type: 'message', user: `U${r.upper(8)}`, text: `the staging pw is ${r.password()} - don't share` }])}\n`,
    ),
  ),
];
