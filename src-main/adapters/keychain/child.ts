// The program of the keychain's child where the app is not packaged (child-command.ts).
import { refuseDebugger } from './no-debugger.ts';

refuseDebugger();
void import('./child-work.ts').then(({ answerKeychainRequest }) => answerKeychainRequest());
