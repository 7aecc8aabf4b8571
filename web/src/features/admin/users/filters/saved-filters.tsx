import { useQuery } from '@tanstack/react-query'
import { Bookmark, BookmarkPlus, Check, Pencil } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '@/ui/overlay/menu'
import type { UserFilter } from '../user-filter'
import { ManageDialog } from './manage-dialog'
import { NameDialog } from './name-dialog'
import { filterOf, isSameFilter, savedFiltersQuery, sendFilter } from './queries'

/** `onApply` sets all of the filter. */
type Props = { filter: UserFilter; onApply: (filter: UserFilter) => void }

/** The administrator's own filters: to apply, to save, to rename and to delete. */
export function SavedFilters({ filter, onApply }: Props) {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(savedFiltersQuery())
  const [open, setOpen] = useState<'save' | 'manage'>()
  const saved = data?.filters ?? []
  const known = saved.find((one) => isSameFilter(filterOf(one), filter))
  const isEmpty = Object.keys(filter).length === 0
  const isFull = data !== undefined && saved.length >= data.most
  return (
    <>
      <Menu modal={false}>
        <MenuTrigger asChild>
          <Button variant="outline" className="max-w-full">
            <Bookmark aria-hidden className={known && 'fill-current'} />
            <bdi className="truncate">{known?.name ?? t('admin.users.filters.title')}</bdi>
          </Button>
        </MenuTrigger>
        <MenuContent align="start" className="max-h-[60dvh] max-w-80 overflow-y-auto">
          <MenuLabel>{t('admin.users.filters.own')}</MenuLabel>
          {isError && <MenuItem onSelect={() => void refetch()}>{t('admin.users.filters.again')}</MenuItem>}
          {data && saved.length === 0 && <MenuItem disabled>{t('admin.users.filters.none')}</MenuItem>}
          {saved.map((one) => (
            <MenuItem key={one.id} onSelect={() => onApply(filterOf(one))}>
              <Check aria-hidden className={one.id === known?.id ? '' : 'invisible'} />
              <bdi className="truncate">{one.name}</bdi>
              {one.id === known?.id && <span className="sr-only">{t('admin.users.filters.applied')}</span>}
            </MenuItem>
          ))}
          <MenuSeparator />
          <MenuItem disabled={!data || isEmpty || known !== undefined || isFull} onSelect={() => setOpen('save')}>
            <BookmarkPlus aria-hidden />
            {t(isFull ? 'admin.users.filters.full' : 'admin.users.filters.saveThis')}
          </MenuItem>
          <MenuItem disabled={saved.length === 0} onSelect={() => setOpen('manage')}>
            <Pencil aria-hidden />
            {t('admin.users.filters.manage')}
          </MenuItem>
        </MenuContent>
      </Menu>
      {open === 'save' && (
        <NameDialog
          title={t('admin.users.filters.saveTitle')}
          description={t('admin.users.filters.saveLead')}
          submit={(name) => sendFilter(name, filter)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'manage' && <ManageDialog filters={saved} onClose={() => setOpen(undefined)} />}
    </>
  )
}
