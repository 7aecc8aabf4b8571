import { setLanguage } from '@/api/generated'
import { changeLanguage } from '@/i18n'
import type { Language } from '@/i18n/languages'
import { log } from '@/lib/browser/log'
import { LanguageSelect } from '@/ui/language/language-select'

/** Changes the language of the interface, and of the account of a signed-in user. */
export async function chooseLanguage(language: Language): Promise<void> {
  if (!(await changeLanguage(language))) return
  // the interface has changed already; the server only keeps the choice for letters and the next device
  await setLanguage({ body: { language }, throwOnError: true }).catch((error) =>
    log('The server did not keep the language', error),
  )
}

export function LanguageSwitch({ variant }: { variant?: 'default' | 'mobile' }) {
  return <LanguageSelect variant={variant} onSelect={(language) => void chooseLanguage(language)} />
}
