// Which of our languages to speak, given the setting and what the system prefers. Pure.
export const languages = ['en', 'de', 'es', 'zh'] as const;
export type Language = (typeof languages)[number];

const isLanguage = (text: string): text is Language => languages.some((known) => known === text);

const baseOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? '';

export const chooseLanguage = (
  wanted: 'system' | Language,
  preferred: readonly string[],
): { language: Language; tag: string } => {
  const usable = preferred.filter(isTag);
  if (wanted !== 'system') {
    return { language: wanted, tag: usable.find((tag) => baseOf(tag) === wanted) ?? wanted };
  }
  for (const tag of usable) {
    const base = baseOf(tag);
    if (isLanguage(base)) return { language: base, tag };
  }
  return { language: 'en', tag: 'en' };
};

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};
