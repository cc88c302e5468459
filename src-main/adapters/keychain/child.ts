// The program of the keychain's child where the app is not packaged (adapters/system/own-program.ts).
import { refuseDebugger } from './no-debugger.ts';

refuseDebugger();
void import('./child-work.ts').then(({ answerKeychainRequest }) => answerKeychainRequest());
