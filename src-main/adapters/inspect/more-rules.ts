// Kinds of secrets that the rules of secretlint lack (look-worker.ts); without these half of the corpus is not found
// (test/support/corpus). Each has a prefix or a shape of its own, so that an ordinary text does not match. Repetitions
// are bounded and do not lie in each other: a pattern takes time in proportion to the text.
const rules: Record<string, RegExp> = {
  // Of every kind, encrypted ones too, with or without header lines, also within JSON. The one of secretlint knows
  // RSA and OpenSSH only.
  privatekey:
    /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]){1,9}(?:[A-Za-z-]{1,30}: [^\n]{0,200}\n\s{0,9}){0,6}[A-Za-z0-9+/=]{40}/,
  putty: /^Private-Lines: \d{1,3}\r?\n[A-Za-z0-9+/=]{20}/m,
  age: /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/,
  aws: /"SecretAccessKey"\s{0,9}:\s{0,9}"[A-Za-z0-9/+]{40}"/,
  gcp: /(?<!\w)(?:AIza[\w-]{35}|GOCSPX-[\w-]{28})(?![\w-])/,
  azure:
    /(?:Account|SharedAccess)Key=[A-Za-z0-9+/]{42,86}={1,2}|(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/,
  gitlab: /(?<!\w)gl(?:agent|cbt|dt|ft|imt|oas|ptt|rt|soat)-[\w-]{20}/,
  pypi: /(?<!\w)pypi-AgE[\w-]{50}/,
  rubygems: /(?<!\w)rubygems_[a-f0-9]{48}/,
  discord:
    /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60}|(?<![\w-])[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])/,
  telegram: /(?<!\w)\d{8,10}:AA[\w-]{33}(?![\w-])/,
  stripe: /(?<!\w)whsec_[A-Za-z0-9+/]{32}/,
  square: /(?<!\w)(?:EAAA[\w-]{60}|sq0[a-z]{3}-[\w-]{22,43})(?![\w-])/,
  braintree: /access_token\$production\$[a-z0-9]{16}\$[a-f0-9]{32}/,
  mailgun: /(?<![\w-])key-[a-f0-9]{32}(?!\w)/,
  mailchimp: /(?<!\w)[a-f0-9]{32}-us\d{1,2}(?!\w)/,
  digitalocean: /(?<!\w)do[oprt]_v1_[a-f0-9]{64}/,
  atlassian: /(?<!\w)ATATT3[\w=-]{150}/,
  newrelic: /(?<!\w)NRAK-[A-Z0-9]{27}/,
  // With a digit in the password, which examples for reading seldom have.
  address:
    /(?<!\w)(?:rediss?|amqps?|s?ftps?|smtps?|imaps?|ldaps?|sqlserver|mssql|nats):\/\/[^\s:@/'"]{0,64}:(?=[^\s@]{0,60}\d)[^\s:@/'"<>{}$*]{8,100}@\w/,
  // A line of an environment file. The value has letters and digits, and is no path, address, variable or stop-gap.
  environment:
    /^(?:export |set )?[A-Z][A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|_KEY)[ \t]?=[ \t]?["']?(?!.{0,99}(?:xample|XAMPLE|hange|HANGE|your|YOUR|xxxx|XXXX|dummy|sample))(?=[^\s"']{0,99}\d)(?=[^\s"']{0,99}[A-Za-z])[A-Za-z0-9+=_.~!@#%^&*-][A-Za-z0-9+/=_.~!@#%^&*-]{15,200}["']?\s*$/m,
};

/** The first place of each kind, by its line. */
export const findMore = (content: string): { rule: string; line: number }[] =>
  Object.entries(rules).flatMap(([rule, pattern]) => {
    const at = content.search(pattern);
    return at === -1 ? [] : [{ rule, line: content.slice(0, at).split('\n').length }];
  });
