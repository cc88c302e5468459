// Our stand-in for the service, held against service.md, and its knobs and faults against what they promise.
// The tests lie beside the service, a file for each side of it.
import '../service/suite/endpoints.ts';
import '../service/suite/faults.ts';
import '../service/suite/forms.ts';
import '../service/suite/knobs.ts';
import '../service/suite/process.ts';
import '../service/suite/windows.ts';
