import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FALLBACK, type Language, languageOf, languages, toLanguage } from '@/i18n/languages'
import { Button } from '../button'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../overlay/menu'
import { FlagIcon } from './flag'

type Props = {
  /** `default` shows flag and name, `mobile` the code in capitals, for the bottom bar. */
  variant?: 'default' | 'mobile'
  onSelect: (language: Language) => void
}

/** The language picker: all languages, with a check on the current one. */
export function LanguageSelect({ variant = 'default', onSelect }: Props) {
  const { t, i18n } = useTranslation()
  const current = languageOf(toLanguage(i18n.language) ?? FALLBACK)
  const name = t('common.language', { name: current.name })
  return (
    <Menu>
      <MenuTrigger asChild>
        {variant === 'mobile' ? (
          <MobileTrigger code={current.code.toUpperCase()} label={t('common.languageShort')} name={name} />
        ) : (
          <Button variant="ghost" className="gap-2 px-2.5" aria-label={name}>
            <FlagIcon flag={current.flag} />
            <span lang={current.code} className="max-sm:sr-only">
              {current.name}
            </span>
            <ChevronDown className="text-ink-3 max-sm:hidden" />
          </Button>
        )}
      </MenuTrigger>
      <MenuContent className="grid w-72 max-w-[calc(100vw-1rem)] grid-cols-2 gap-0.5">
        {languages.map((language) => (
          <MenuItem
            key={language.code}
            role="menuitemradio"
            aria-checked={language.code === current.code}
            lang={language.code}
            onSelect={() => onSelect(language.code)}
          >
            <FlagIcon flag={language.flag} />
            <bdi className="flex-1">{language.name}</bdi>
            {language.code === current.code && <Check className="text-accent" />}
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  )
}

function MobileTrigger({ code, label, name, ...props }: { code: string; label: string; name: string }): ReactNode {
  return (
    <button
      type="button"
      // begins with what is seen
      aria-label={`${code} ${name}`}
      className="flex h-16 flex-col items-center justify-center gap-1 text-tiny text-ink-2"
      {...props}
    >
      <span aria-hidden translate="no" className="grid h-5 place-items-center text-note font-semibold text-ink">
        {code}
      </span>
      {label}
    </button>
  )
}
