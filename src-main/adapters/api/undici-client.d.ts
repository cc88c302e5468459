// The package types its members only as parts of the whole; this one is loaded without the rest.
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}
