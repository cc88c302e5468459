// The program of the keychain's child where the app is not packaged (child-command.ts).
import { refuseDebugger } from './no-debugger.ts';

refuseDebugger();
const { answerKeychainRequest } = await import('./child-work.ts');
await answerKeychainRequest();
