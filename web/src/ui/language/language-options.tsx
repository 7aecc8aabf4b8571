import { type Language, languages } from '@/i18n/languages'

/** The languages of the interface as options of a list, each in its own words. */
export function LanguageOptions({ of: which }: { of?: readonly Language[] }) {
  return languages
    .filter(({ code }) => which?.includes(code) ?? true)
    .map(({ code, name }) => (
      <option key={code} value={code} lang={code}>
        {name}
      </option>
    ))
}
