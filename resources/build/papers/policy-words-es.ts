// The texts of the Group Policy template in Spanish.
import type { PolicyWords } from './policy-words.ts';

export const es: PolicyWords = {
  description: 'Ajustes de Outtray que decide un administrador. La clave de API nunca es uno de ellos.',
  supported: 'Outtray 0.1 o posterior',
  recommended: 'Outtray: valores predeterminados que el usuario puede cambiar',
  whenLocked: 'Habilitada: el valor queda bloqueado. No configurada: decide el usuario.',
  whenRecommended:
    'Habilitada: el valor es un valor predeterminado que el usuario puede cambiar. No configurada: vale el valor predeterminado de Outtray.',
  groups: {
    service: 'Servicio',
    folder: 'Carpeta y archivos',
    limits: 'Límites y solicitudes',
    after: 'Después de subir',
    network: 'Red',
    updates: 'Actualizaciones',
    app: 'Aplicación',
    rights: 'Lo que puede hacer el usuario',
  },
  settings: {
    baseUrl: {
      title: 'Dirección del servicio',
      text: 'La clave de API se envía solo a esta dirección.',
    },
    linkHosts: {
      title: 'Dominios de enlaces de confianza',
      text: 'Dominios, además del propio servicio, en los que puede haber enlaces públicos. Los demás enlaces se muestran, pero no se abren.',
    },
    folder: { title: 'Carpeta supervisada', text: 'La carpeta cuyos archivos nuevos se suben.' },
    folders: {
      title: 'Más carpetas supervisadas',
      text: 'Se supervisan junto a la primera, 19 como máximo; ninguna está dentro de otra. El usuario da a cada una sus propias reglas.',
    },
    recursive: {
      title: 'Supervisar las subcarpetas',
      text: 'Si se suben también los archivos de las subcarpetas.',
    },
    allowedRoots: {
      title: 'Carpetas permitidas',
      text: 'Solo se comparte lo que está dentro de una de estas carpetas. Vacío: sin restricción. «~» es la carpeta personal del usuario.',
    },
    forbiddenRoots: {
      title: 'Carpetas prohibidas',
      text: 'No se comparte nada de lo que está dentro de una de estas carpetas. Prevalece sobre las carpetas permitidas.',
    },
    ignore: { title: 'Patrones ignorados', text: 'Patrones como en .gitignore.' },
    includeHidden: {
      title: 'Compartir archivos ocultos',
      text: 'Si se suben los archivos cuyo nombre empieza por un punto.',
    },
    includeEmpty: { title: 'Compartir archivos vacíos', text: 'Si se suben los archivos de 0 bytes.' },
    holdSecrets: {
      title: 'Retener lo que parece un secreto',
      text: 'Los archivos de claves, .env y similares esperan hasta que el usuario los confirma.',
    },
    requireLookInside: {
      title: 'Retener lo que no se puede revisar por dentro',
      text: 'lookInside está activado y no se puede desactivar. Un texto demasiado grande para revisarlo entero, o que no se pudo revisar, espera hasta que el usuario lo confirme.',
    },
    photoLocation: {
      title: 'Fotos que dicen dónde se hicieron',
      text: 'ask: la foto espera hasta que el usuario decide, mientras lookInside esté activado. keep: se sube tal cual. remove: se sube una copia sin metadatos; una foto en la que no es posible espera.',
    },
    lookInside: {
      title: 'Buscar secretos dentro de los archivos',
      text: 'Antes de hacerse públicos, los textos se revisan en busca de claves, tokens y contraseñas. Lo que se encuentra espera hasta que el usuario lo confirma.',
    },
    burstFiles: {
      title: 'Archivos a la vez sin preguntar',
      text: 'Si llegan más a la vez, todos esperan hasta que el usuario los confirma.',
    },
    burstBytes: {
      title: 'Bytes a la vez sin preguntar',
      text: 'Si llegan más a la vez, todos los archivos esperan hasta que el usuario los confirma.',
    },
    settleMs: {
      title: 'Esperar tras el último cambio',
      text: 'Milisegundos sin cambios; 0 es automático.',
    },
    graceSeconds: {
      title: 'Tiempo en que se puede cancelar una subida',
      text: 'Segundos que espera un archivo que llega a la carpeta antes de hacerse público. Los archivos indicados o soltados suben enseguida.',
    },
    expireAfter: {
      title: 'Los enlaces de la carpeta caducan tras',
      text: 'Tras este tiempo desde la subida se retira el enlace de un archivo: none o un tiempo como 30m, 1h, 7d o 2w. Outtray debe estar en marcha; si no, ocurre en su próximo inicio.',
    },
    answerTimeoutMs: {
      title: 'Espera de la respuesta a una subida',
      text: 'Milisegundos después del último byte; 0 es automático: de 2 a 30 minutos según el tamaño y la velocidad.',
    },
    reconcileAfterMs: {
      title: 'Plazo para las respuestas perdidas',
      text: 'Milisegundos tras los cuales una subida cuya respuesta se perdió debe aparecer en la lista de archivos.',
    },
    maxFileBytes: { title: 'Archivo más grande', text: 'En bytes. Los archivos mayores se rechazan.' },
    maxExpireAfter: {
      title: 'Vida más larga de un enlace',
      text: 'Ningún enlace de este equipo vive más: none o un tiempo como 1h, 7d o 31d. También los enlaces que ya existen sin caducidad propia: los más antiguos se retiran enseguida.',
    },
    allowedTypes: {
      title: 'Tipos de archivo permitidos',
      text: 'Solo se comparten los archivos con una de estas extensiones. Vacío: todos.',
    },
    forbiddenTypes: {
      title: 'Tipos de archivo prohibidos',
      text: 'Los archivos con una de estas extensiones no se comparten. Prevalece sobre los tipos permitidos.',
    },
    concurrentUploads: { title: 'Subidas simultáneas', text: 'De 1 a 16.' },
    requestsPerMinute: {
      title: 'Solicitudes por minuto',
      text: 'Menos de lo que permite el plan, para una clave que usan también otros programas.',
    },
    requestsPerDay: {
      title: 'Solicitudes por día',
      text: 'Menos de lo que permite el plan, para una clave que usan también otros programas.',
    },
    requestShare: {
      title: 'Parte de las solicitudes',
      text: 'La parte de este equipo en lo que permite el plan: 0.05 si 20 equipos comparten una clave.',
    },
    onAmbiguous: {
      title: 'Cuando se pierde la respuesta a una subida',
      text: 'hold: preguntar al usuario. adopt-verified: tomar un archivo de la cuenta cuyo contenido se ha verificado. reupload: subir otra vez.',
    },
    bandwidthBytesPerSecond: {
      title: 'Bytes por segundo',
      text: 'Lo máximo que usan las subidas; 0 es sin límite.',
    },
    verifyAfterUpload: {
      title: 'Volver a leer cada enlace',
      text: 'Después de subirlo, cada enlace se lee una vez sin la clave y se compara con lo enviado; cuesta una solicitud en segundo plano y la descarga, y nunca ocurre mientras espera una subida.',
    },
    releaseWatch: {
      title: 'Horas entre lecturas de los enlaces vigilados',
      text: 'Con esta frecuencia se vuelve a leer un enlace vigilado (outtray verify --watch) y se compara con lo enviado, una solicitud en segundo plano y una descarga cada vez; nunca mientras espera o se hace una subida, ni cuando se ha usado la mitad de las solicitudes del día.',
    },
    followEveryMinutes: {
      title: 'Minutos entre consultas de los enlaces seguidos',
      text: 'Como máximo con esta frecuencia se pregunta por las descargas de los enlaces seguidos (outtray follow), una solicitud en segundo plano cada vez; nunca mientras espera una subida, ni cuando se ha usado la mitad de las solicitudes del día.',
    },
    agentRoots: {
      title: 'Carpetas para agentes',
      text: 'Carpetas cuyos archivos pueden compartir los agentes con outtray mcp; vacío: la carpeta vigilada.',
    },
    agentShare: {
      title: 'Parte de los agentes',
      text: 'Número de 0 a 1: la parte de las solicitudes que pueden usar los agentes. 0: no comparten nada.',
    },
    givenFolders: {
      title: 'Carpetas que se sueltan',
      text: 'ask: decide el usuario. zip: un enlace para todo lo que se suelta junto. files: un enlace por archivo.',
    },
    copyLink: {
      title: 'Copiar enlaces automáticamente',
      text: 'never: nunca. dropped: los enlaces de archivos que el usuario entrega a mano. always: siempre.',
    },
    copyFormat: {
      title: 'Formato de los enlaces copiados',
      text: 'plain (solo el enlace), markdown, html, bbcode o template (copyTemplate): cómo se copian los enlaces cuando no se pide otro formato.',
    },
    copyTemplate: {
      title: 'Plantilla de un enlace',
      text: 'Cómo escribe «Copiar con plantilla» un enlace; {link}, {name}, {size}, {sha256} y {date} son el enlace y el nombre, el tamaño, el SHA-256 y el día de subida del archivo.',
    },
    notify: { title: 'Notificaciones', text: 'Si Outtray usa las notificaciones del sistema.' },
    proxy: {
      title: 'Proxy',
      text: 'system, none (ninguno) o http://host:port sin nombre de usuario ni contraseña.',
    },
    keyCommand: {
      title: 'Orden para la clave',
      text: 'Un programa con sus argumentos que escribe la clave de API, por ejemplo pass show outtray. Prevalece sobre el llavero, y OUTTRAY_API_KEY sobre él. Se ejecuta sin intérprete de órdenes.',
    },
    caFile: {
      title: 'Autoridad de certificación adicional',
      text: 'Un archivo PEM, para un servicio o un proxy con un certificado de la empresa.',
    },
    updateMode: {
      title: 'Actualizaciones',
      text: 'auto: se descargan, y se instalan tras cinco minutos sin actividad en el área de notificación o al salir de Outtray. notify: decide el usuario. off: no se buscan nunca.',
    },
    updateFeed: {
      title: 'Origen de las actualizaciones',
      text: 'La carpeta https: que contiene latest.yml y los instaladores. Vacío: el origen con el que se creó el instalador.',
    },
    updateChannel: { title: 'Canal', text: 'latest, o el nombre de otro canal, por ejemplo beta.' },
    auditFile: {
      title: 'Archivo de auditoría',
      text: 'En este archivo se escribe qué se hizo público, cuándo, por qué vía y hasta cuándo, un objeto JSON por línea. Mientras no se pueda escribir, no se sube nada. Una ruta completa en un disco local; «~» es la carpeta personal del usuario. Vacío: sin registro.',
    },
    pasteShortcut: {
      title: 'Atajo que sube el portapapeles',
      text: 'Teclas que valen en todos los programas, por ejemplo CommandOrControl+Shift+U. No en Wayland: allí el usuario asigna `outtray paste` en el sistema.',
    },
    launchAtLogin: {
      title: 'Abrir al iniciar sesión',
      text: 'Si Outtray se abre cuando el usuario inicia sesión.',
    },
    quitOnClose: {
      title: 'Salir al cerrar la ventana',
      text: 'Si Outtray se cierra al cerrar su ventana; de lo contrario, sigue en la bandeja.',
    },
    language: { title: 'Idioma', text: 'system, en, de, es o zh.' },
    allowPause: {
      title: 'Permitir pausas',
      text: 'Si el usuario puede pausar las subidas. Si está prohibido, termina también una pausa anterior.',
    },
    allowCopy: {
      title: 'Permitir copiar',
      text: 'Si Outtray pone enlaces y otros textos en el portapapeles, a petición o por sí mismo.',
    },
    allowGivenFiles: {
      title: 'Permitir archivos entregados a mano',
      text: 'Si el usuario puede soltar, pegar, elegir o nombrar archivos sueltos para subirlos. Si está prohibido, solo se comparten los archivos de la carpeta supervisada.',
    },
    allowAccountChange: {
      title: 'Permitir otra cuenta',
      text: 'Si el usuario puede cambiar o quitar la clave y cambiar la dirección del servicio y la orden para la clave. Siempre se puede introducir una primera clave.',
    },
  },
};
