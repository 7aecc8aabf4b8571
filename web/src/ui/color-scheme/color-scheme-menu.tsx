import { Check, Monitor, Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../button'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../overlay/menu'
import { setColorScheme, useColorScheme } from './color-scheme'

const SCHEMES = [
  { value: 'light', icon: Sun },
  { value: 'dark', icon: Moon },
  { value: 'system', icon: Monitor },
] as const

export function ColorSchemeMenu() {
  const { t } = useTranslation()
  const theme = useColorScheme()
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t('common.theme.label')}>
          <Sun className="dark:hidden" />
          <Moon className="hidden dark:block" />
        </Button>
      </MenuTrigger>
      <MenuContent>
        {SCHEMES.map(({ value, icon: Icon }) => (
          <MenuItem
            key={value}
            role="menuitemradio"
            aria-checked={value === theme}
            onSelect={() => setColorScheme(value)}
          >
            <Icon className="text-ink-3" />
            <span className="flex-1">{t(`common.theme.${value}`)}</span>
            {value === theme && <Check className="text-accent" />}
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  )
}
