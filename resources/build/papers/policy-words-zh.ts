// The texts of the Group Policy template in Simplified Chinese.
import type { PolicyWords } from './policy-words.ts';

export const zh: PolicyWords = {
  description: '由管理员决定的 Outtray 设置。其中绝不包含 API 密钥。',
  supported: 'Outtray 0.1 或更高版本',
  recommended: 'Outtray - 用户可以更改的默认设置',
  whenLocked: '已启用：此值被锁定。未配置：由用户决定。',
  whenRecommended: '已启用：此值是用户可以更改的默认值。未配置：使用 Outtray 自身的默认值。',
  groups: {
    service: '服务',
    folder: '文件夹和文件',
    limits: '限制和请求',
    after: '上传之后',
    network: '网络',
    updates: '更新',
    app: '应用程序',
    rights: '用户权限',
  },
  settings: {
    baseUrl: { title: '服务地址', text: 'API 密钥只发送到此地址。' },
    linkHosts: {
      title: '受信任的链接域名',
      text: '除服务自身的域名之外，公开链接可以位于的域名。其他域名的链接只显示，不打开。',
    },
    folder: { title: '监控的文件夹', text: '此文件夹中的新文件会被上传。' },
    folders: {
      title: '更多监控的文件夹',
      text: '与第一个文件夹一同监控，最多 19 个；任何一个都不在另一个之中。用户可以为每个文件夹设置自己的规则。',
    },
    recursive: { title: '监控子文件夹', text: '是否上传子文件夹中的文件。' },
    allowedRoots: {
      title: '允许的文件夹',
      text: '只共享位于这些文件夹中的内容。留空：不限制。“~”表示用户的主文件夹。',
    },
    forbiddenRoots: {
      title: '禁止的文件夹',
      text: '不共享位于这些文件夹中的任何内容。优先于允许的文件夹。',
    },
    ignore: { title: '忽略规则', text: '写法同 .gitignore。' },
    includeHidden: { title: '共享隐藏文件', text: '是否上传名称以点开头的文件。' },
    includeEmpty: { title: '共享空文件', text: '是否上传大小为 0 字节的文件。' },
    holdSecrets: {
      title: '像机密的文件需先确认',
      text: '密钥文件、.env 等会等待，直到用户确认。',
    },
    requireLookInside: {
      title: '保留无法检查内容的文件',
      text: 'lookInside 处于开启状态且无法关闭。文本过大而无法完整检查，或未能检查时，会等待用户确认。',
    },
    photoLocation: {
      title: '带有拍摄地点的照片',
      text: 'ask：lookInside 开启时，照片等待用户决定。keep：按原样上传。remove：上传不含元数据的副本；无法去除的照片会等待。',
    },
    lookInside: {
      title: '检查内容中的机密',
      text: '文本在公开之前会被检查是否含有密钥、令牌和密码。发现后会等待，直到用户确认。',
    },
    burstFiles: {
      title: '无需询问的同时到达文件数',
      text: '同时到达的文件超过此数时，全部等待用户确认。',
    },
    burstBytes: {
      title: '无需询问的同时到达字节数',
      text: '同时到达的数据超过此数时，全部文件等待用户确认。',
    },
    settleMs: { title: '最后一次变化后的等待时间', text: '无变化的毫秒数；0 表示自动。' },
    graceSeconds: {
      title: '可以取消上传的时间',
      text: '到达文件夹的文件在公开之前等待的秒数。指定或拖放的文件立即上传。',
    },
    expireAfter: {
      title: '文件夹的链接何时到期',
      text: '上传之后经过此时间，文件的链接会被撤回：none，或 30m、1h、7d、2w 这样的时间。届时 Outtray 必须在运行；否则在下次启动时撤回。',
    },
    answerTimeoutMs: {
      title: '等待上传响应的时间',
      text: '发送最后一个字节之后的毫秒数；0 表示自动：根据大小和速度，2 到 30 分钟。',
    },
    reconcileAfterMs: {
      title: '查找丢失响应的时限',
      text: '如果上传的响应丢失，经过此毫秒数后，该文件必须已出现在文件列表中。',
    },
    maxFileBytes: { title: '最大文件', text: '以字节为单位。更大的文件会被拒绝。' },
    maxExpireAfter: {
      title: '链接的最长期限',
      text: '本机的任何链接都不会超过此时间：none，或 1h、7d、31d 这样的时间。已有的、没有自身期限的链接也适用：更早的链接会立即撤回。',
    },
    allowedTypes: { title: '允许的文件类型', text: '只共享具有这些扩展名的文件。留空：所有文件。' },
    forbiddenTypes: {
      title: '禁止的文件类型',
      text: '不共享具有这些扩展名的文件。优先于允许的类型。',
    },
    concurrentUploads: { title: '同时上传数', text: '1 到 16。' },
    requestsPerMinute: {
      title: '每分钟请求数',
      text: '少于套餐允许的数量，用于其他程序也在使用的密钥。',
    },
    requestsPerDay: {
      title: '每日请求数',
      text: '少于套餐允许的数量，用于其他程序也在使用的密钥。',
    },
    requestShare: {
      title: '请求份额',
      text: '本机在套餐允许的数量中所占的份额：20 台计算机共用一个密钥时为 0.05。',
    },
    onAmbiguous: {
      title: '上传的响应丢失时',
      text: 'hold：询问用户。adopt-verified：采用账户中内容已核实的文件。reupload：重新上传。',
    },
    bandwidthBytesPerSecond: { title: '每秒字节数', text: '上传速度的上限；0 表示不限。' },
    verifyAfterUpload: {
      title: '回读每个链接',
      text: '上传后，不带密钥读取每个链接一次，并与所发送的内容比较；每次耗用一个后台请求和一次下载，有文件等待上传时不进行。',
    },
    releaseWatch: {
      title: '读取所监视链接的间隔（小时）',
      text: '按此间隔回读所监视的链接（outtray verify --watch），并与所发送的内容比较，每次耗用一个后台请求和一次下载；有文件等待或正在上传，或当天请求已用掉一半时，不会读取。',
    },
    followEveryMinutes: {
      title: '检查所关注链接的间隔（分钟）',
      text: '查询所关注链接（outtray follow）下载次数的最短间隔，每次在后台发出一个请求；有文件等待上传，或当天请求已用掉一半时，不会查询。',
    },
    agentRoots: {
      title: '代理可用的文件夹',
      text: '代理可通过 outtray mcp 共享这些文件夹中的文件；留空：被监视的文件夹。',
    },
    agentShare: {
      title: '代理的份额',
      text: '0 到 1 之间的数字：代理可使用的请求额度比例。0：代理不能共享任何内容。',
    },
    givenFolders: {
      title: '拖入的文件夹',
      text: 'ask：由用户选择。zip：一起拖入的内容共用一个链接。files：每个文件一个链接。',
    },
    copyLink: {
      title: '自动复制链接',
      text: 'never：从不。dropped：仅用户手动交给 Outtray 的文件。always：总是。',
    },
    copyFormat: {
      title: '复制链接的格式',
      text: 'plain（仅链接）、markdown、html、bbcode 或 template（copyTemplate）：未指定其他格式时如何复制链接。',
    },
    copyTemplate: {
      title: '链接模板',
      text: '“按模板复制”如何写一个链接；{link}、{name}、{size}、{sha256} 和 {date} 代表链接以及文件的名称、大小、SHA-256 和上传日期。',
    },
    notify: { title: '通知', text: '是否使用系统的通知。' },
    proxy: { title: '代理', text: 'system、none（无）或 http://host:port，不含用户名和密码。' },
    keyCommand: {
      title: '密钥命令',
      text: '输出 API 密钥的程序及其参数，例如 pass show outtray。优先于钥匙串，但 OUTTRAY_API_KEY 优先于它。运行时不经过 shell。',
    },
    caFile: {
      title: '额外的证书颁发机构',
      text: 'PEM 文件，用于使用公司证书的服务或代理。',
    },
    updateMode: {
      title: '更新',
      text: 'auto：自动下载，在通知区域中空闲五分钟后或退出 Outtray 时安装。notify：由用户决定。off：从不检查。',
    },
    updateFeed: {
      title: '更新源',
      text: '包含 latest.yml 和安装程序的 https: 文件夹。留空：构建安装程序时指定的更新源。',
    },
    updateChannel: { title: '更新通道', text: 'latest，或其他通道的名称，例如 beta。' },
    auditFile: {
      title: '审计文件',
      text: '将公开的内容、时间、途径和有效期写入此文件，每行一个 JSON 对象。无法写入时不会上传任何内容。须为本地磁盘上的完整路径；“~”代表用户的主文件夹。留空：不记录。',
    },
    pasteShortcut: {
      title: '上传剪贴板的快捷键',
      text: '在所有程序中有效的按键，例如 CommandOrControl+Shift+U。在 Wayland 上无效：用户须在系统中为 `outtray paste` 绑定按键。',
    },
    launchAtLogin: { title: '登录时启动', text: '用户登录时是否启动 Outtray。' },
    quitOnClose: { title: '关闭窗口时退出', text: '关闭窗口时是否退出 Outtray；否则它留在托盘中。' },
    language: { title: '语言', text: 'system、en、de、es 或 zh。' },
    allowPause: {
      title: '允许暂停',
      text: '用户是否可以暂停上传。禁止时，之前的暂停也会结束。',
    },
    allowCopy: {
      title: '允许复制',
      text: 'Outtray 是否按用户要求或自动将链接和其他文本放入剪贴板。',
    },
    allowGivenFiles: {
      title: '允许手动提供文件',
      text: '用户是否可以拖入、粘贴、选择或指定单个文件来上传。禁止时，只共享监控的文件夹中的文件。',
    },
    allowAccountChange: {
      title: '允许更换账户',
      text: '用户是否可以更换或移除密钥，以及更改服务地址和密钥命令。首次输入密钥始终允许。',
    },
  },
};
