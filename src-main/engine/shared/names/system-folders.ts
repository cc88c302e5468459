// Folders that a system, a NAS or a program keeps for itself: recycle bins, indexes, snapshots. No person put a file
// there to share it. Patterns are those of a .gitignore and ignore case; all of them match folders only.

export type Keeper = {
  name: string;
  /** Where the folders are documented. */
  source: string;
  folders: readonly string[];
};

export const keepers: readonly Keeper[] = [
  {
    name: 'Windows',
    source: 'learn.microsoft.com: recycle bin, System Restore, chkdsk, Windows Installer',
    folders: [
      '$RECYCLE.BIN/',
      'RECYCLER/',
      'RECYCLED/',
      'System Volume Information/',
      'FOUND.[0-9][0-9][0-9]/',
      'Config.Msi/',
      '$WinREAgent/',
      '$SysReset/',
    ],
  },
  {
    name: 'macOS',
    source: 'developer.apple.com: File System Programming Guide; netatalk.io',
    folders: [
      '.Trash/',
      '.Trashes/',
      '.Spotlight-V100/',
      '.fseventsd/',
      '.DocumentRevisions-V100/',
      '.TemporaryItems/',
      '.MobileBackups/',
      '.AppleDouble/',
      '.AppleDB/',
      '.AppleDesktop/',
      'Network Trash Folder/',
      'Temporary Items/',
    ],
  },
  {
    name: 'the trash of a Linux desktop',
    source: 'freedesktop.org: Trash specification',
    folders: ['.Trash-[0-9]*/'],
  },
  {
    name: 'a file system',
    source: 'e2fsck(8), snapper(8), zfsprops(7), docs.ceph.com, docs.netapp.com',
    folders: ['lost+found/', '.snapshots/', '.snapshot/', '~snapshot/', '.zfs/', '.snap/'],
  },
  {
    name: 'Samba',
    source: 'vfs_recycle(8), vfs_shadow_copy2(8)',
    folders: ['.recycle/', '\\#recycle/', '\\#snapshot/'],
  },
  {
    name: 'Synology',
    source: 'kb.synology.com',
    folders: ['@eaDir/', '@tmp/', '.SynologyWorkingDirectory/'],
  },
  {
    name: 'QNAP',
    source: 'qnap.com: Network Recycle Bin, snapshots, thumbnails',
    folders: ['@Recycle/', '@Recently-Snapshot/', '.@__thumb/', '.@upload_cache/', '.Qsync/'],
  },
  { name: 'Android', source: 'source.android.com: storage', folders: ['LOST.DIR/', '.thumbnails/'] },
  {
    name: 'Syncthing',
    source: 'docs.syncthing.net: folder marker, file versioning',
    folders: ['.stfolder/', '.stfolder.removed-*/', '.stversions/'],
  },
  { name: 'Resilio Sync', source: 'help.resilio.com: the .sync folder', folders: ['.sync/'] },
  { name: 'GoodSync', source: 'goodsync.com: manual', folders: ['_gsdata_/'] },
  { name: 'Dropbox', source: 'help.dropbox.com: the cache folder', folders: ['.dropbox.cache/'] },
];

/** By pattern: who keeps such a folder. */
export const systemFolders: ReadonlyMap<string, string> = new Map(
  keepers.flatMap(({ name, folders }) => folders.map((folder): [string, string] => [folder, name])),
);
