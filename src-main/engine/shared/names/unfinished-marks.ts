// How programs mark what they have not finished: by the name of the file, or by a control file of their own beside it.
// The one table of both. Patterns are those of a .gitignore and ignore case.

export type Control = {
  /** The control file has the name of the file with this appended. */
  end: string;
  /** It may also stand for a folder. Then everything in the folder is unfinished. */
  ofFolders?: true;
  /** Only a file whose name matches has one. */
  of?: RegExp;
  /** Only an empty file has one: it keeps the name for the download. */
  ofEmpty?: true;
  /** Other files have this ending, too. Only a file of such a size is a control file. */
  isSize?: (bytes: number) => boolean;
};

export type Program = {
  name: string;
  /** Where its marks are documented: a manual, or a file of its sources. */
  source: string;
  /** Names of unfinished files, or of files about them. */
  partial?: readonly string[];
  /** The patterns alone are too wide: a name must match this as well, as `like` does. */
  shape?: { is: RegExp; like: string };
  /** Names of files that it keeps for a while: copies, locks, journals. */
  temporary?: readonly string[];
  controls?: readonly Control[];
};

/** Two bytes or four for the number of connections, eight for what is done, 16 for each connection. */
const isAxelState = (bytes: number): boolean => bytes > 12 && (bytes % 16 === 10 || bytes % 16 === 12);

export const programs: readonly Program[] = [
  // The widest patterns first: the last one that matches decides.
  {
    name: 'the AWS command line or boto3',
    source: 's3transfer: random_file_extension, eight of string.hexdigits',
    partial: ['*.????????'],
    shape: { is: /\.(?=[^.]*\d)(?=[^.]*[A-Fa-f])[\dA-Fa-f]{8}$/, like: 'disk.iso.6eF0a9B1' },
  },
  {
    name: 'rsync',
    source: 'rsync(1): --temp-dir, and what mkstemp(3) adds',
    partial: ['.*.??????'],
    shape: { is: /\.(?=[^.]*[A-Z])(?=[^.]*[a-z0-9])[A-Za-z0-9]{6}$/, like: '.film.mkv.aB3dEf' },
  },
  {
    name: 'rsync',
    source: 'rsync(1): --partial-dir, --delay-updates',
    partial: ['.~tmp~', '.rsync-partial'],
  },

  // ------------------------------------------------ browsers
  {
    name: 'a browser made from Chromium',
    source: 'chromium: components/download/internal/common/download_item_impl.cc; file_system_access',
    partial: ['*.crdownload', '.com.google.Chrome.*', '.org.chromium.Chromium.*', '*.crswap'],
  },
  {
    name: 'Firefox, KDE, Transmission, curl or JDownloader',
    source: 'firefox: nsExternalHelperAppService.cpp; kio: file_copy_job; transmission: rename-partial-files',
    partial: ['*.part'],
    controls: [{ end: '.part', ofEmpty: true }],
  },
  { name: 'Safari', source: 'support.apple.com: downloads of Safari', partial: ['*.download'] },
  { name: 'Opera', source: 'forums.opera.com: .opdownload', partial: ['*.opdownload'] },
  { name: 'GNOME Web', source: 'epiphany: embed/ephy-download.c', partial: ['*.wkdownload'] },
  {
    name: 'Internet Explorer, Edge or rclone',
    source: 'learn.microsoft.com: Internet Explorer downloads; rclone.org/docs: --partial-suffix',
    partial: ['*.partial'],
  },

  // ------------------------------------------------ download managers
  {
    name: 'aria2',
    source: 'aria2.github.io/manual: Control File',
    partial: ['*.aria2', '*.aria2__temp'],
    controls: [{ end: '.aria2', ofFolders: true }],
  },
  { name: 'axel', source: 'axel: src/axel.c', controls: [{ end: '.st', isSize: isAxelState }] },
  {
    name: 'lftp',
    source: 'lftp(1): pget, xfer:use-temp-file, xfer:temp-file-name',
    partial: ['*.lftp-pget-status', '*.lftp-pget-status~', '*.lftp'],
    controls: [{ end: '.lftp-pget-status' }],
  },
  {
    name: 'yt-dlp or youtube-dl',
    source: 'yt-dlp: downloader/fragment.py, postprocessor/ffmpeg.py, YoutubeDL.py',
    partial: [
      '*.ytdl',
      '*.part-Frag[0-9]*',
      ...['mp4', 'mkv', 'webm', 'm4a', 'mp3', 'opus'].map((type) => `*.temp.${type}`),
      ...['mp4', 'webm', 'm4a'].map((type) => `*.f[0-9][0-9][0-9].${type}`),
    ],
    controls: [{ end: '.ytdl' }],
  },
  { name: 'Free Download Manager', source: 'freedownloadmanager.org: board', partial: ['*.fdmdownload'] },
  { name: 'DownThemAll', source: 'downthemall: modules/manager', partial: ['*.dtapart'] },
  { name: 'GetRight', source: 'getright.com: help', partial: ['*.getright'] },
  { name: 'FlashGet', source: 'flashget.com: help', partial: ['*.jc!', '*.fb!'] },
  { name: 'Orbit Downloader', source: 'orbitdownloader.com: help', partial: ['*.ob!'] },
  {
    name: 'Xunlei Thunder',
    source: 'xunlei.com: help',
    partial: ['*.xltd', '*.xltd.cfg', '*.td.cfg', '*.tdl.cfg'],
    controls: [{ end: '.cfg', of: /\.tdl?$/i }],
  },
  {
    name: 'Baidu Netdisk',
    source: 'pan.baidu.com: help',
    partial: ['*.downloading', '*.downloading.cfg', '*.baiduyun.uploading', '*.baiduyun.uploading.cfg'],
  },
  {
    name: 'pyLoad',
    source: 'pyload: core/network/http/http_download.py, http_chunk.py',
    partial: ['*.chunk[0-9]', '*.chunk[0-9][0-9]', '*.chunks'],
  },
  { name: 'MEGA', source: 'mega sdk: src/localpath.cpp', partial: ['.getxfer.*', '.megatmp.*'] },
  {
    name: 'Hugging Face Hub or Homebrew',
    source: 'huggingface_hub: file_download.py; brew: download_strategy.rb',
    partial: ['*.incomplete'],
  },

  { name: 'DuckDuckGo', source: 'apple-browsers: WebKitDownloadTask.swift', partial: ['*.duckload'] },
  {
    name: 'IBM Aspera',
    source: 'ibm.com/docs/aspera: ascp, resume',
    partial: ['*.aspera-ckpt'],
  },

  // ------------------------------------------------ torrents, shared files, Usenet
  {
    name: 'Soulseek or Nicotine+',
    source: 'nicotine-plus: pynicotine/downloads.py, get_incomplete_download_file_path',
    partial: ['INCOMPLETE*'],
    shape: {
      is: /^INCOMPLETE(?:~|[0-9a-f]{16})/,
      like: 'INCOMPLETE0a1b2c3d4e5f60718293a4b5c6d7e8f9song.mp3',
    },
  },
  { name: 'qBittorrent', source: 'qbittorrent: src/base/bittorrent/common.h', partial: ['*.!qB'] },
  { name: 'µTorrent', source: 'utorrent.com: append .!ut to incomplete files', partial: ['*.!ut'] },
  { name: 'BitTorrent or BitSpirit', source: 'bittorrent.com: help', partial: ['*.!bt', '*.bt!'] },
  { name: 'BitComet', source: 'wiki.bitcomet.com: .bc! files', partial: ['*.bc!'] },
  { name: 'Vuze or BiglyBT', source: 'biglybt: DiskManagerUtil, incomplete suffix', partial: ['*.az!'] },
  { name: 'libtorrent', source: 'libtorrent.org: partial pieces', partial: ['.*.parts'] },
  {
    name: 'eMule or aMule',
    source: 'amule: src/PartFile.cpp',
    partial: ['*.part.met', '*.part.met.bak', '*.part.met.seeds'],
  },
  { name: 'DC++', source: 'dcpp: QueueManager, TEMP_EXTENSION', partial: ['*.dctmp', '*.antifrag'] },
  { name: 'SABnzbd', source: 'sabnzbd: postproc.py', partial: ['_UNPACK_*/', '_FAILED_*/'] },

  // ------------------------------------------------ FTP, SSH, clouds from the command line
  { name: 'WinSCP', source: 'winscp.net/eng/docs/resume', partial: ['*.filepart'] },
  { name: 'Cyberduck', source: 'cyberduck: AbstractTransferWorker', partial: ['*.cyberducksegment'] },
  { name: 'ProFTPD or lftp', source: 'proftpd.org: HiddenStores; lftp(1)', partial: ['.in.*'] },
  { name: 'Pure-FTPd', source: 'pure-ftpd: src/ftpd.h, ATOMIC_PREFIX', partial: ['.pureftpd-upload.*'] },
  { name: 'gsutil or gcloud', source: 'gsutil: utils/copy_helper.py', partial: ['*_.gstmp'] },
  { name: 'AzCopy', source: 'azure-storage-azcopy: ste/xfer-remoteToLocal', partial: ['.azDownload-*'] },
  { name: 'MinIO', source: 'minio-go: api-get-object-file.go', partial: ['*.part.minio'] },

  // ------------------------------------------------ sync
  {
    name: 'Syncthing',
    source: 'docs.syncthing.net: temporary files',
    partial: ['.syncthing.*', '~syncthing~*'],
  },
  { name: 'Resilio Sync', source: 'help.resilio.com: .!sync files', partial: ['*.!sync'] },
  {
    name: 'Nextcloud or ownCloud',
    source: 'nextcloud desktop: propagatedownload.cpp, vfs/suffix',
    partial: ['.*.~*', '*.nextcloud', '*.owncloud'],
  },
  {
    name: 'Google Drive',
    source: 'support.google.com/drive',
    partial: ['.tmp.drivedownload', '.tmp.driveupload'],
  },
  { name: 'iCloud Drive', source: 'developer.apple.com: items not downloaded', partial: ['.*.icloud'] },
  { name: 'Unison', source: 'unison: src/os.ml', partial: ['.unison.*'] },
  {
    name: 'FreeFileSync',
    source: 'freefilesync: afs/abstract.cpp',
    partial: ['*.ffs_tmp'],
    temporary: ['*.ffs_lock'],
  },
  {
    name: 'Android',
    source: 'developer.android.com: MediaStore, IS_PENDING and IS_TRASHED',
    partial: ['.pending-*'],
    temporary: ['.trashed-*'],
  },

  // ------------------------------------------------ editors, offices, systems
  { name: 'many programs', source: 'by custom', temporary: ['*.tmp', '*.temp', '*~'] },
  {
    name: 'Microsoft Office',
    source: 'support.microsoft.com: owner files, AutoRecover',
    temporary: ['~$*', '*.laccdb', '*.asd'],
  },
  {
    name: 'LibreOffice or WPS',
    source: 'libreoffice: svtools lockfile; wps.com',
    temporary: ['.~*', '.~lock*'],
  },
  {
    name: 'SyncTeX',
    source: 'synctex(5): the busy file',
    temporary: ['*.synctex(busy)', '*.synctex.gz(busy)'],
  },
  { name: 'Krita', source: 'docs.krita.org: autosave', temporary: ['*-autosave.kra'] },
  { name: 'Blender', source: 'docs.blender.org: auto save', temporary: ['*.blend[0-9]', '*.blend@'] },
  {
    name: 'FreeCAD or KiCad',
    source: 'wiki.freecad.org: autosave; docs.kicad.org',
    temporary: ['*.FCBak', '_autosave-*', '*.kicad_*.lck', '~*.lck'],
  },
  { name: 'many editors', source: 'by custom', temporary: ['*.autosave'] },
  {
    name: 'SQLite',
    source: 'sqlite.org: Temporary Files Used By SQLite',
    temporary: ['db', 'db3', 'sqlite', 'sqlite3', 's3db'].flatMap((type) =>
      ['wal', 'shm', 'journal'].map((end) => `*.${type}-${end}`),
    ),
    controls: ['-wal', '-journal'].map((end) => ({
      end,
      of: /\.[^.]+$/,
      isSize: (bytes: number) => bytes > 0,
    })),
  },
  { name: 'AutoCAD', source: 'help.autodesk.com: .dwl files', temporary: ['*.dwl', '*.dwl2'] },
  { name: 'InDesign', source: 'helpx.adobe.com: lock files', temporary: ['*.idlk'] },
  { name: 'Vim or nano', source: 'vim: recover.txt; nano(1)', temporary: ['.*.sw?'] },
  { name: 'Kate', source: 'docs.kde.org: Kate, swap files', temporary: ['.*.kate-swp'] },
  { name: 'Emacs', source: 'gnu.org: Emacs manual, Auto Save and Interlocking', temporary: ['\\#*#', '.#*'] },
  { name: 'GLib', source: 'glib: gio/glocalfileoutputstream.c', temporary: ['.goutputstream-*'] },
  { name: 'macOS', source: 'developer.apple.com', temporary: ['.DS_Store', '._*'] },
  {
    name: 'a program of macOS that saves in a sandbox',
    source: 'developer.apple.com: NSDocument, safe saving',
    temporary: ['*.sb-????????-??????'],
  },
  {
    name: 'a JetBrains editor',
    source: 'intellij-community: SafeFileOutputStream',
    temporary: ['*___jb_???___'],
  },
  { name: 'Windows', source: 'learn.microsoft.com', temporary: ['Thumbs.db', 'desktop.ini', 'ehthumbs.db'] },
  {
    name: 'a network file system',
    source: 'linux: fs/nfs/unlink.c; libfuse: lib/fuse.c; samba',
    temporary: ['.nfs????????????????*', '.fuse_hidden*', '.smbdelete*'],
  },
];

export type Mark = { rule: 'partial' | 'temporary'; program: string; shape: Program['shape'] };

/** By pattern, in the order of the table. */
export const marks: ReadonlyMap<string, Mark> = new Map(
  programs.flatMap(({ name: program, partial = [], temporary = [], shape }) => [
    ...partial.map((pattern): [string, Mark] => [pattern, { rule: 'partial', program, shape }]),
    ...temporary.map((pattern): [string, Mark] => [pattern, { rule: 'temporary', program, shape }]),
  ]),
);

/** The control files of all programs. */
export const controls: readonly (Control & { program: string })[] = programs.flatMap(
  ({ name: program, controls: own = [] }) => own.map((control) => ({ ...control, program })),
);
