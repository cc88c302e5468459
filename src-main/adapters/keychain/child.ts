// The program of the keychain's child in a checkout; the packaged app starts itself instead.
import { answerKeychainRequest } from './child-work.ts';

await answerKeychainRequest(process.stdin, process.stdout);
