// The only part of undici that we use. Loading the whole package costs four times as much (`npm run bench -- start`).
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}
