// The texts of the Group Policy template in German.
import type { PolicyWords } from './policy-words.ts';

export const de: PolicyWords = {
  description:
    'Einstellungen von Outtray, die der Administrator festlegt. Der API-Schlüssel gehört nie dazu.',
  supported: 'Outtray 0.1 oder neuer',
  recommended: 'Outtray – Vorgaben, die Benutzer ändern dürfen',
  whenLocked: 'Aktiviert: Der Wert ist gesperrt. Nicht konfiguriert: Der Benutzer entscheidet.',
  whenRecommended:
    'Aktiviert: Der Wert ist eine Vorgabe, die der Benutzer ändern darf. Nicht konfiguriert: Es gilt der Standardwert von Outtray.',
  groups: {
    service: 'Dienst',
    folder: 'Ordner und Dateien',
    limits: 'Limits und Anfragen',
    after: 'Nach dem Upload',
    network: 'Netzwerk',
    updates: 'Updates',
    app: 'Programm',
    rights: 'Was Benutzer dürfen',
  },
  settings: {
    baseUrl: {
      title: 'Adresse des Dienstes',
      text: 'An diese Adresse wird der API-Schlüssel gesendet, und an keine andere.',
    },
    linkHosts: {
      title: 'Vertrauenswürdige Link-Domains',
      text: 'Domains, auf denen öffentliche Links außer beim Dienst selbst liegen dürfen. Andere Links werden angezeigt, aber nicht geöffnet.',
    },
    folder: {
      title: 'Überwachter Ordner',
      text: 'Der Ordner, dessen neue Dateien hochgeladen werden.',
    },
    folders: {
      title: 'Weitere überwachte Ordner',
      text: 'Neben dem ersten überwacht, höchstens 19; keiner liegt in einem anderen. Der Benutzer gibt jedem eigene Regeln.',
    },
    recursive: {
      title: 'Unterordner überwachen',
      text: 'Ob auch Dateien in Unterordnern hochgeladen werden.',
    },
    allowedRoots: {
      title: 'Erlaubte Ordner',
      text: 'Nur was in einem dieser Ordner liegt, wird geteilt. Leer: ohne Einschränkung. „~“ ist der persönliche Ordner des Benutzers.',
    },
    forbiddenRoots: {
      title: 'Verbotene Ordner',
      text: 'Was in einem dieser Ordner liegt, wird nicht geteilt. Hat Vorrang vor den erlaubten Ordnern.',
    },
    ignore: { title: 'Ausschlussmuster', text: 'Muster wie in .gitignore.' },
    includeHidden: {
      title: 'Versteckte Dateien teilen',
      text: 'Ob Dateien, deren Name mit einem Punkt beginnt, hochgeladen werden.',
    },
    includeEmpty: { title: 'Leere Dateien teilen', text: 'Ob Dateien mit 0 Byte hochgeladen werden.' },
    holdSecrets: {
      title: 'Zurückhalten, was nach einem Geheimnis aussieht',
      text: 'Schlüsseldateien, .env und Ähnliches warten, bis der Benutzer sie bestätigt.',
    },
    requireLookInside: {
      title: 'Zurückhalten, was nicht durchsucht werden kann',
      text: 'lookInside ist an und lässt sich nicht ausschalten. Ein Text, der zu groß ist, um ganz durchsucht zu werden, oder der nicht durchsucht werden konnte, wartet, bis der Benutzer ihn bestätigt.',
    },
    photoLocation: {
      title: 'Fotos, die verraten, wo sie aufgenommen wurden',
      text: 'ask: das Foto wartet, bis der Benutzer entscheidet, solange lookInside an ist. keep: es wird unverändert hochgeladen. remove: eine Kopie ohne Metadaten wird hochgeladen; ein Foto, bei dem das nicht geht, wartet.',
    },
    lookInside: {
      title: 'In Dateien nach Geheimnissen sehen',
      text: 'Texte werden nach Schlüsseln, Tokens und Passwörtern durchsucht, bevor sie öffentlich werden. Was gefunden wird, wartet, bis der Benutzer es bestätigt.',
    },
    burstFiles: {
      title: 'Dateien auf einmal ohne Nachfrage',
      text: 'Kommen mehr zusammen an, warten alle, bis der Benutzer sie bestätigt.',
    },
    burstBytes: {
      title: 'Byte auf einmal ohne Nachfrage',
      text: 'Kommen mehr zusammen an, warten alle Dateien, bis der Benutzer sie bestätigt.',
    },
    settleMs: {
      title: 'Wartezeit nach der letzten Änderung',
      text: 'Millisekunden ohne Änderung; 0 heißt automatisch.',
    },
    graceSeconds: {
      title: 'Zeit, in der ein Upload abgebrochen werden kann',
      text: 'So viele Sekunden wartet eine Datei, die im Ordner ankommt, bevor sie öffentlich wird. Genannte oder abgelegte Dateien gehen sofort hoch.',
    },
    expireAfter: {
      title: 'Links des Ordners enden nach',
      text: 'So lange nach dem Upload wird der Link einer Datei zurückgeholt: none oder eine Zeit wie 30m, 1h, 7d oder 2w. Outtray muss dann laufen; sonst geschieht es beim nächsten Start.',
    },
    answerTimeoutMs: {
      title: 'Wartezeit auf die Antwort nach einem Upload',
      text: 'Millisekunden nach dem letzten Byte; 0 heißt automatisch: je nach Größe und Geschwindigkeit 2 bis 30 Minuten.',
    },
    reconcileAfterMs: {
      title: 'Frist für verlorene Antworten',
      text: 'Millisekunden, nach denen ein Upload, dessen Antwort verloren ging, in der Dateiliste stehen muss.',
    },
    maxFileBytes: { title: 'Größte Datei', text: 'In Byte. Größere Dateien werden abgelehnt.' },
    maxExpireAfter: {
      title: 'Längste Dauer eines Links',
      text: 'Kein Link dieses Rechners lebt länger: none oder eine Zeit wie 1h, 7d oder 31d. Auch Links, die schon da sind und kein eigenes Ende haben: ältere werden sofort zurückgeholt.',
    },
    allowedTypes: {
      title: 'Erlaubte Dateitypen',
      text: 'Nur Dateien mit einer dieser Endungen werden geteilt. Leer: alle.',
    },
    forbiddenTypes: {
      title: 'Verbotene Dateitypen',
      text: 'Dateien mit einer dieser Endungen werden nicht geteilt. Hat Vorrang vor den erlaubten Typen.',
    },
    concurrentUploads: { title: 'Gleichzeitige Uploads', text: '1 bis 16.' },
    requestsPerMinute: {
      title: 'Anfragen pro Minute',
      text: 'Weniger, als der Tarif erlaubt: für einen Schlüssel, den auch andere Programme verwenden.',
    },
    requestsPerDay: {
      title: 'Anfragen pro Tag',
      text: 'Weniger, als der Tarif erlaubt: für einen Schlüssel, den auch andere Programme verwenden.',
    },
    requestShare: {
      title: 'Anteil an den Anfragen',
      text: 'Der Anteil dieses Rechners an dem, was der Tarif erlaubt: 0.05, wenn sich 20 Rechner einen Schlüssel teilen.',
    },
    onAmbiguous: {
      title: 'Wenn die Antwort auf einen Upload verloren geht',
      text: 'hold: den Benutzer fragen. adopt-verified: eine Datei des Kontos übernehmen, deren Inhalt geprüft ist. reupload: noch einmal hochladen.',
    },
    bandwidthBytesPerSecond: {
      title: 'Byte pro Sekunde',
      text: 'Die Höchstgeschwindigkeit der Uploads; 0 heißt ohne Limit.',
    },
    verifyAfterUpload: {
      title: 'Jeden Link zurücklesen',
      text: 'Nach dem Upload wird jeder Link einmal ohne den Schlüssel gelesen und mit dem Gesendeten verglichen; das kostet eine Anfrage im Hintergrund und den Download und geschieht nie, solange ein Upload wartet.',
    },
    releaseWatch: {
      title: 'Stunden zwischen dem Lesen überwachter Links',
      text: 'So oft wird ein überwachter Link (outtray verify --watch) zurückgelesen und mit dem Gesendeten verglichen, je eine Anfrage im Hintergrund und ein Download; nie, solange ein Upload wartet oder läuft oder sobald die Hälfte der Anfragen des Tages verbraucht ist.',
    },
    followEveryMinutes: {
      title: 'Minuten zwischen Prüfungen verfolgter Links',
      text: 'Höchstens so oft wird nach den Downloads verfolgter Links (outtray follow) gefragt, je eine Anfrage im Hintergrund; nie, solange ein Upload wartet oder sobald die Hälfte der Anfragen des Tages verbraucht ist.',
    },
    agentRoots: {
      title: 'Ordner für Agenten',
      text: 'Ordner, deren Dateien Agenten mit outtray mcp teilen dürfen; leer: der überwachte Ordner.',
    },
    agentShare: {
      title: 'Anteil der Agenten',
      text: 'Zahl von 0 bis 1: der Teil der Anfragen, den Agenten verbrauchen dürfen. 0: sie teilen nichts.',
    },
    givenFolders: {
      title: 'Ordner, die abgelegt werden',
      text: 'ask: der Benutzer wählt. zip: ein Link für alles, was zusammen abgelegt wird. files: ein Link je Datei.',
    },
    copyLink: {
      title: 'Links automatisch kopieren',
      text: 'never: nie. dropped: Links von Dateien, die der Benutzer selbst übergibt. always: immer.',
    },
    copyFormat: {
      title: 'Form kopierter Links',
      text: 'plain (nur der Link), markdown, html, bbcode oder template (copyTemplate): wie Links kopiert werden, wenn keine andere Form verlangt ist.',
    },
    copyTemplate: {
      title: 'Vorlage für einen Link',
      text: 'Wie „Mit Vorlage kopieren“ einen Link schreibt; {link}, {name}, {size}, {sha256} und {date} stehen für den Link und für Namen, Größe, SHA-256 und Upload-Tag der Datei.',
    },
    notify: { title: 'Mitteilungen', text: 'Ob Outtray die Mitteilungen des Systems verwendet.' },
    proxy: {
      title: 'Proxy',
      text: 'system, none (keiner) oder http://host:port ohne Benutzernamen und Passwort.',
    },
    keyCommand: {
      title: 'Befehl für den Schlüssel',
      text: 'Ein Programm mit Argumenten, das den API-Schlüssel ausgibt, zum Beispiel pass show outtray. Hat Vorrang vor dem Schlüsselbund, OUTTRAY_API_KEY aber vor ihm. Es wird ohne Shell ausgeführt.',
    },
    caFile: {
      title: 'Zusätzliche Zertifizierungsstelle',
      text: 'Eine PEM-Datei, wenn der Dienst oder der Proxy ein Zertifikat der Firma hat.',
    },
    updateMode: {
      title: 'Updates',
      text: 'auto: laden und installieren, wenn Outtray fünf Minuten untätig im Infobereich liegt oder beendet wird. notify: Der Benutzer entscheidet. off: nie danach suchen.',
    },
    updateFeed: {
      title: 'Quelle der Updates',
      text: 'Der https:-Ordner, in dem latest.yml und die Installationsdateien liegen. Leer: die Quelle, mit der das Installationsprogramm gebaut wurde.',
    },
    updateChannel: { title: 'Kanal', text: 'latest oder der Name eines anderen Kanals, zum Beispiel beta.' },
    auditFile: {
      title: 'Prüfprotokoll',
      text: 'Was öffentlich wurde, wann, auf welchem Weg und bis wann, wird in diese Datei geschrieben, ein JSON-Objekt pro Zeile. Solange sie nicht geschrieben werden kann, wird nichts hochgeladen. Ein vollständiger Pfad auf einem lokalen Datenträger; „~“ ist der persönliche Ordner des Benutzers. Leer: kein Protokoll.',
    },
    pasteShortcut: {
      title: 'Tastenkürzel, das die Zwischenablage hochlädt',
      text: 'Tasten, die in jedem Programm gelten, zum Beispiel CommandOrControl+Shift+U. Nicht unter Wayland: dort verknüpft der Benutzer `outtray paste` im System mit Tasten.',
    },
    launchAtLogin: {
      title: 'Beim Anmelden starten',
      text: 'Ob Outtray startet, wenn sich der Benutzer anmeldet.',
    },
    quitOnClose: {
      title: 'Beenden, wenn das Fenster geschlossen wird',
      text: 'Ob Outtray endet, wenn sein Fenster geschlossen wird; sonst bleibt es im Infobereich.',
    },
    language: { title: 'Sprache', text: 'system, en, de, es oder zh.' },
    allowPause: {
      title: 'Pausieren der Uploads erlauben',
      text: 'Ob der Benutzer die Uploads pausieren darf. Ist es verboten, endet auch eine frühere Pause.',
    },
    allowCopy: {
      title: 'Kopieren erlauben',
      text: 'Ob Outtray Links und andere Texte in die Zwischenablage legt, auf Wunsch oder von selbst.',
    },
    allowGivenFiles: {
      title: 'Einzeln übergebene Dateien erlauben',
      text: 'Ob der Benutzer einzelne Dateien zum Hochladen ziehen, einfügen, auswählen oder nennen darf. Ist es verboten, werden nur Dateien im überwachten Ordner geteilt.',
    },
    allowAccountChange: {
      title: 'Anderes Konto erlauben',
      text: 'Ob der Benutzer den Schlüssel ersetzen oder entfernen und die Adresse des Dienstes und den Befehl für den Schlüssel ändern darf. Ein erster Schlüssel kann immer eingegeben werden.',
    },
  },
};
