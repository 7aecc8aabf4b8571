import { Check, Monitor, Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from './button'
import { Menu, MenuContent, MenuItem, MenuTrigger } from './menu'
import { setTheme, useTheme } from './theme'

const themes = [
  { value: 'light', icon: Sun },
  { value: 'dark', icon: Moon },
  { value: 'system', icon: Monitor },
] as const

export function ThemeToggle() {
  const { t } = useTranslation()
  const theme = useTheme()
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t('common.theme.label')}>
          <Sun className="dark:hidden" />
          <Moon className="hidden dark:block" />
        </Button>
      </MenuTrigger>
      <MenuContent>
        {themes.map(({ value, icon: Icon }) => (
          <MenuItem key={value} role="menuitemradio" aria-checked={value === theme} onSelect={() => setTheme(value)}>
            <Icon className="text-ink-3" />
            <span className="flex-1">{t(`common.theme.${value}`)}</span>
            {value === theme && <Check className="text-accent" />}
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  )
}
