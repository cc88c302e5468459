// The one part of undici that is used. The whole package is four times as much to load (`npm run bench -- start`).
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}
