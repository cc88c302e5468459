// Kinds of files in which people hand secrets around: the half that the rules are written with.
import {
  base32,
  bytes,
  csvSafe,
  file,
  kind,
  lines64,
  noQuote,
  quotedPrintable,
  utf16,
  xmlSafe,
  type Kind,
} from './made.ts';

export const seenKindsOfPeople: readonly Kind[] = [
  // notes
  kind('note in German with Kennwort', 'plain notes', (r) =>
    file(
      'notiz.txt',
      `NAS im Keller\nAdresse: http://192.168.1.${r.digits(2)}\nKennung: ${r.user()}\nKennwort: ${r.password()}\n`,
    ),
  ),
  kind('note in Spanish', 'plain notes', (r) =>
    file(
      'accesos.txt',
      `Datos de acceso al servidor\n\nUsuario: ${r.user()}\nContraseña: ${r.password()}\nServidor: ${r.host()}\n`,
    ),
  ),
  kind('note in Spanish with clave', 'plain notes', (r) =>
    file('wifi.txt', `Red de la oficina\nusuario: ${r.user()}\nclave: ${r.password()}\n`),
  ),
  kind('note in Chinese', 'plain notes', (r) =>
    file('账号.txt', `测试服务器\n地址：${r.host()}\n用户名：${r.user()}\n密码：${r.password()}\n`),
  ),
  kind('Markdown list of logins', 'https://spec.commonmark.org/', (r) =>
    file(
      'logins.md',
      `# Logins\n\n- **Grafana**\n  - User: \`${r.user()}\`\n  - Password: \`${r.password()}\`\n\n## To do\n\n- [ ] rotate\n`,
    ),
  ),
  kind('RTF letter with a password', 'https://www.biblioscape.com/rtf15_spec.htm', (r) =>
    file(
      'letter.rtf',
      `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fswiss Calibri;}}\r\n\\viewkind4\\uc1\\pard\\f0\\fs22 Hello ${r.first()},\\par\r\nyour new account:\\par\r\n\\b User:\\b0  ${r.user()}\\par\r\n\\b Password:\\b0  ${r.password()}\\par\r\n}\r\n`,
    ),
  ),
  kind('RTF with an AWS key', 'https://www.biblioscape.com/rtf15_spec.htm', (r) =>
    file(
      'aws.rtf',
      `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Times New Roman;}}\n\\pard Access key: ${r.awsId()}\\line Secret access key: ${r.awsSecret()}\\par\n}\n`,
    ),
  ),
  // mail
  kind('mail that quotes a GitHub token', 'RFC 3676 §4.5', (r) =>
    file(
      'mail.txt',
      `From: ${r.first()} <${r.email()}>\nSubject: Re: token\n\nThanks, it works.\n\n> Hi,\n> here is the token:\n> ${r.github('ghp_')}\n> Best\n`,
    ),
  ),
  kind('mail that quotes a password twice deep', 'RFC 3676 §4.5', (r) =>
    file(
      'Re access.eml',
      `From: ${r.email()}\r\nTo: ${r.email()}\r\nSubject: Re: Re: access\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nok\r\n\r\n> > Username: ${r.user()}\r\n> > Password: ${r.password()}\r\n> please change it\r\n`,
    ),
  ),
  kind('mail that quotes a private key', 'RFC 3676 §4.5, RFC 7468', (r) =>
    file(
      'key.eml',
      `From: ${r.email()}\r\nSubject: Re: key\r\n\r\nplease resend\r\n\r\n${r
        .pem('RSA PRIVATE KEY', 800)
        .split('\n')
        .map((line) => '> ' + line)
        .join('\r\n')}\r\n`,
    ),
  ),
  kind('mail in quoted-printable with a Stripe key', 'RFC 2045 §6.7', (r) =>
    file(
      'stripe.eml',
      quotedPrintable(
        `Hi ${r.first()}, please put the live key into the environment as follows: STRIPE_SECRET_KEY=${r.stripe()} and restart.\n`,
      ),
    ),
  ),
  // chats
  kind('Slack export with a token', 'https://slack.com/help/articles/220556107', (r) =>
    file(
      '2025-03-12.json',
      JSON.stringify(
        [
          {
            type: 'message',
            user: `U${r.upper(8)}`,
            text: `the bot token is ${r.slackBot()}`,
            ts: `17${r.digits(8)}.000200`,
          },
        ],
        null,
        4,
      ),
    ),
  ),
  kind('Teams chat copied as text', 'https://support.microsoft.com/teams', (r) =>
    file(
      'chat.txt',
      `[${r.digits(2)}.03.2025 09:12] ${r.first()}: Kannst du mir den Zugang schicken?\n[12.03.2025 09:13] ${r.first()}: Login ${r.user()}, Passwort: ${r.password()}\n`,
    ),
  ),
  kind('Discord chat export with a webhook', 'https://github.com/Tyrrrz/DiscordChatExporter', (r) =>
    file(
      'general.txt',
      `==============================================================\nGuild: dev\nChannel: general\n==============================================================\n\n[03/12/2025 10:10] ${r.user()}\nuse https://discord.com/api/webhooks/${r.digits(18)}/${r.base64Url(68)}\n`,
    ),
  ),
  // keys
  kind('PEM key in a JSON text', 'RFC 8259, RFC 7468', (r) =>
    file('app.json', JSON.stringify({ appId: r.digits(6), privateKey: r.pem('PRIVATE KEY', 900) })),
  ),
  kind('PuTTY private key', 'https://the.earth.li/~sgtatham/putty/latest/htmldoc/AppendixC.html', (r) =>
    file(
      'putty.txt',
      `PuTTY-User-Key-File-3: ssh-ed25519\r\nEncryption: none\r\nComment: ${r.user()}\r\nPublic-Lines: 2\r\n${r.base64(64)}\r\n${r.base64(16)}\r\nPrivate-Lines: 1\r\n${r.base64(47)}=\r\nPrivate-MAC: ${r.hex(64)}\r\n`,
    ),
  ),
  kind('PGP private key', 'RFC 9580 §6.2', (r) =>
    file(
      'me.asc',
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${lines64(r.base64(900))}\n=${r.base64(4)}\n-----END PGP PRIVATE KEY BLOCK-----\n`,
    ),
  ),
  kind('JWK private key', 'RFC 7517, RFC 7518 §6.3.2', (r) =>
    file(
      'jwk.json',
      JSON.stringify(
        {
          kty: 'RSA',
          kid: r.uuid(),
          use: 'sig',
          alg: 'RS256',
          n: r.base64Url(342),
          e: 'AQAB',
          d: r.base64Url(342),
          p: r.base64Url(171),
          q: r.base64Url(171),
          dp: r.base64Url(171),
          dq: r.base64Url(171),
          qi: r.base64Url(171),
        },
        null,
        2,
      ),
    ),
  ),
  kind('JWK EC private key in a set', 'RFC 7517 §5, RFC 7518 §6.2.2', (r) =>
    file(
      'jwks.json',
      JSON.stringify({
        keys: [
          {
            kty: 'EC',
            crv: 'P-256',
            kid: r.hex(8),
            x: r.base64Url(43),
            y: r.base64Url(43),
            d: r.base64Url(43),
          },
        ],
      }),
    ),
  ),
  kind('WireGuard settings', 'https://man7.org/linux/man-pages/man8/wg.8.html', (r) =>
    file(
      'wg0.conf',
      `[Interface]\nPrivateKey = ${r.base64(42)}E=\nAddress = 10.0.0.2/24\n\n[Peer]\nPublicKey = ${r.base64(42)}A=\nEndpoint = ${r.host()}:51820\nAllowedIPs = 0.0.0.0/0\n`,
    ),
  ),
  kind(
    'OpenVPN with inline key',
    'https://openvpn.net/community-resources/reference-manual-for-openvpn-2-6/',
    (r) =>
      file(
        'office.conf',
        `client\ndev tun\nremote ${r.host()} 1194\n<key>\n${r.pem('PRIVATE KEY', 900)}\n</key>\n`,
      ),
  ),
  kind('OpenVPN static key', 'https://openvpn.net/community-resources/static-key-mini-howto/', (r) =>
    file(
      'ta.txt',
      `#\n# 2048 bit OpenVPN static key\n#\n-----BEGIN OpenVPN Static key V1-----\n${Array.from({ length: 16 }, () => r.hex(32)).join('\n')}\n-----END OpenVPN Static key V1-----\n`,
    ),
  ),
  // passwords
  kind('Chrome passwords CSV', 'https://support.google.com/chrome/answer/95606', (r) =>
    file(
      'Chrome.csv',
      `name,url,username,password,note\n${r.host()},https://${r.host()}/login,${r.email()},${r.password(csvSafe)},\n${r.host()},https://${r.host()}/,${r.user()},${r.password(csvSafe)},\n`,
    ),
  ),
  kind('Safari passwords CSV', 'https://support.apple.com/guide/safari/ibrw1106/mac', (r) =>
    file(
      'Safari.csv',
      `Title,URL,Username,Password,Notes,OTPAuth\n${r.host()} (${r.email()}),https://${r.host()}/,${r.email()},${r.password(csvSafe)},,\n`,
    ),
  ),
  kind('1Password 1pif', 'https://support.1password.com/1pif-format/', (r) =>
    file(
      'data.1pif',
      `${JSON.stringify({
        uuid: r.hex(32).toUpperCase(),
        typeName: 'webforms.WebForm',
        title: 'Bank',
        secureContents: {
          fields: [
            { value: r.email(), name: 'username', designation: 'username', type: 'T' },
            { value: r.password(), name: 'password', designation: 'password', type: 'P' },
          ],
        },
      })}\n***5642bee8-a5ff-11dc-8314-0800200c9a66***\n`,
    ),
  ),
  kind('Bitwarden JSON', 'https://bitwarden.com/help/export-your-data/', (r) =>
    file(
      'bitwarden_export.json',
      JSON.stringify(
        {
          encrypted: false,
          folders: [],
          items: [
            {
              id: r.uuid(),
              type: 1,
              name: 'Bank',
              login: {
                uris: [{ uri: `https://${r.host()}` }],
                username: r.email(),
                password: r.password(),
                totp: null,
              },
            },
          ],
        },
        null,
        2,
      ),
    ),
  ),
  kind('KeePass XML', 'https://keepass.info/help/base/importexport.html', (r) =>
    file(
      'keepass.xml',
      `<?xml version="1.0" encoding="utf-8"?>\n<KeePassFile><Root><Group><Name>Root</Name><Entry><UUID>${r.base64(22)}==</UUID>\n<String><Key>Password</Key><Value ProtectInMemory="True">${r.password(xmlSafe)}</Value></String>\n<String><Key>UserName</Key><Value>${r.user()}</Value></String></Entry></Group></Root></KeePassFile>\n`,
    ),
  ),
  kind('KeePassXC CSV', 'https://keepassxc.org/docs/KeePassXC_UserGuide', (r) =>
    file(
      'database.csv',
      `"Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created"\n"Root","Bank","${r.user()}","${r.password(csvSafe)}","https://${r.host()}","","","0","2025-03-12T10:00:00Z","2024-01-01T10:00:00Z"\n`,
    ),
  ),
  kind('authenticator migration URI', 'https://github.com/dim13/otpauth', (r) =>
    file('export.txt', `otpauth-migration://offline?data=${encodeURIComponent(r.base64(120))}\n`),
  ),
  kind('Aegis export', 'https://github.com/beemdevelopment/Aegis/blob/master/docs/vault.md', (r) =>
    file(
      'aegis-export.json',
      JSON.stringify(
        {
          version: 1,
          header: { slots: null, params: null },
          db: {
            version: 3,
            entries: [
              {
                type: 'totp',
                uuid: r.uuid(),
                name: r.email(),
                issuer: 'Git',
                info: { secret: r.from(base32, 32), algo: 'SHA1', digits: 6, period: 30 },
              },
            ],
          },
        },
        null,
        4,
      ),
    ),
  ),
  kind(
    'Ethereum keystore',
    'https://ethereum.org/en/developers/docs/data-structures-and-encoding/web3-secret-storage/',
    (r) =>
      file(
        `UTC--2025-03-12T10-00-00Z--${r.hex(40)}`,
        JSON.stringify({
          address: r.hex(40),
          crypto: {
            cipher: 'aes-128-ctr',
            ciphertext: r.hex(64),
            cipherparams: { iv: r.hex(32) },
            kdf: 'scrypt',
            kdfparams: { dklen: 32, n: 262144, p: 1, r: 8, salt: r.hex(64) },
            mac: r.hex(64),
          },
          id: r.uuid(),
          version: 3,
        }),
      ),
  ),
  kind('Bitcoin key in WIF', 'https://en.bitcoin.it/wiki/Wallet_import_format', (r) =>
    file('paper wallet.txt', `Bitcoin paper wallet\nprivate key (WIF): ${r.wif()}\n`),
  ),
  kind('Ethereum private key', 'https://hardhat.org/hardhat-runner/docs/guides/configuring', (r) =>
    file(
      'hardhat.config.js',
      `module.exports = {\n  networks: { mainnet: { url: "https://${r.host()}", accounts: ["0x${r.hex(64)}"] } },\n};\n`,
    ),
  ),
  // devices
  kind(
    'Wi-Fi profile of netsh',
    'https://learn.microsoft.com/windows/win32/nativewifi/wlan-profileschema-schema',
    (r) =>
      file(
        'Wi-Fi-Home.xml',
        `<?xml version="1.0"?>\n<WLANProfile xmlns="http://www.microsoft.com/networking/WLAN/profile/v1">\n<name>Home</name><MSM><security><sharedKey><keyType>passPhrase</keyType><protected>false</protected><keyMaterial>${r.password(xmlSafe)}</keyMaterial></sharedKey></security></MSM>\n</WLANProfile>\n`,
      ),
  ),
  kind(
    'NetworkManager connection',
    'https://networkmanager.dev/docs/api/latest/nm-settings-keyfile.html',
    (r) =>
      file(
        'Home.nmconnection',
        `[connection]\nid=Home\ntype=wifi\n\n[wifi-security]\nkey-mgmt=wpa-psk\npsk=${r.password()}\n`,
      ),
  ),
  kind(
    'Wi-Fi QR text',
    'https://github.com/zxing/zxing/wiki/Barcode-Contents#wi-fi-network-config-android-ios-11',
    (r) => file('wifi.txt', `WIFI:T:WPA;S:Guest;P:${r.base62(12)};;\n`),
  ),
  kind(
    'Cisco with a type 7 password',
    'https://www.cisco.com/c/en/us/support/docs/security-vpn/remote-authentication-dial-user-service-radius/107614-64.html',
    (r) =>
      file(
        'router.cfg',
        `hostname r1\n!\nenable secret 5 $1$${r.base62(4)}$${r.base62(22)}\nusername ${r.user()} privilege 15 password 7 0${r.digits(1)}${r.hex(20).toUpperCase()}\n!\nline vty 0 4\n`,
      ),
  ),
  kind('FileZilla sites', 'https://wiki.filezilla-project.org/Client_Configuration', (r) =>
    file(
      'sitemanager.xml',
      `<?xml version="1.0" encoding="UTF-8"?>\n<FileZilla3 version="3.66.5" platform="windows"><Servers><Server><Host>${r.host()}</Host><Port>22</Port><User>${r.user()}</User><Pass encoding="base64">${Buffer.from(r.password()).toString('base64')}</Pass></Server></Servers></FileZilla3>\n`,
    ),
  ),
  kind('rclone.conf', 'https://rclone.org/docs/#config-file', (r) =>
    file(
      'rclone.conf',
      `[s3]\ntype = s3\nprovider = Minio\naccess_key_id = ${r.base62(20)}\nsecret_access_key = ${r.base62(40)}\nendpoint = https://${r.host()}\n`,
    ),
  ),
  kind('rclone.conf of a drive', 'https://rclone.org/drive/', (r) =>
    file(
      'rclone drive.conf',
      `[drive]\ntype = drive\nscope = drive\ntoken = {"access_token":"ya29.${r.base64Url(120)}","token_type":"Bearer","refresh_token":"1//0${r.base64Url(60)}","expiry":"2025-03-12T10:00:00Z"}\n`,
    ),
  ),
  kind('PuTTY registry export', 'https://the.earth.li/~sgtatham/putty/latest/htmldoc/Chapter4.html', (r) =>
    bytes(
      'putty.reg',
      utf16(
        `Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\Software\\SimonTatham\\PuTTY\\Sessions\\srv]\r\n"HostName"="${r.host()}"\r\n"ProxyUsername"="${r.user()}"\r\n"ProxyPassword"="${r.password(noQuote)}"\r\n`,
      ),
    ),
  ),
  kind('ESPHome Wi-Fi', 'https://esphome.io/components/wifi.html', (r) =>
    file(
      'sensor.ino',
      `#include <WiFi.h>\nconst char* ssid = "Home";\nconst char* password = "${r.password(noQuote)}";\nvoid setup() { WiFi.begin(ssid, password); }\n`,
    ),
  ),
];
