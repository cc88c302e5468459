// How often the clipboard got another text: what was copied before that is on it no longer.
let losses = $state(0);

export const lossesNow = (): number => losses;
export const forgetCopies = (): void => {
  losses += 1;
};
