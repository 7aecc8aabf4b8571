import { Link } from '@tanstack/react-router'
import {
  CirclePause,
  CirclePlay,
  Ellipsis,
  Hourglass,
  ListMinus,
  ListPlus,
  Mail,
  Pencil,
  PlugZap,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/ui/overlay/menu'
import { useChangeInstance } from '../mutations'
import { CheckDialog } from './check-dialog'
import { DeleteInstanceDialog } from './delete-instance-dialog'
import { SendTestDialog } from './send-test-dialog'

type Props = { instance: InstanceOut; inRoute: boolean; onRoute: (inRoute: boolean) => void }
type Open = 'check' | 'delete' | 'send'

/** What can be done with an instance. */
export function InstanceMenu({ instance, inRoute, onRoute }: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open>()
  const change = useChangeInstance(instance)
  const { id, label, kind, enabled, draining } = instance
  const dialog = (name: Open) => ({
    open: open === name,
    onOpenChange: (on: boolean) => setOpen(on ? name : undefined),
  })
  return (
    <>
      <Menu modal={false}>
        <MenuTrigger asChild>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t('admin.providers.actions', { label })}
            aria-busy={change.isPending}
          >
            <Ellipsis />
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem asChild>
            <Link to="/admin/providers/$id" params={{ id }}>
              <Pencil aria-hidden />
              {t('admin.providers.edit')}
            </Link>
          </MenuItem>
          <MenuItem onSelect={() => setOpen('check')}>
            <PlugZap aria-hidden />
            {t('admin.check.run')}
          </MenuItem>
          {kind === 'email' && (
            <MenuItem onSelect={() => setOpen('send')}>
              <Mail aria-hidden />
              {t('admin.sendTest.action')}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem onSelect={() => onRoute(!inRoute)}>
            {inRoute ? <ListMinus aria-hidden /> : <ListPlus aria-hidden />}
            {t(inRoute ? 'admin.providers.order.takeOut' : 'admin.providers.order.add')}
          </MenuItem>
          <MenuItem onSelect={() => change.mutate({ enabled: !enabled })}>
            {enabled ? <CirclePause aria-hidden /> : <CirclePlay aria-hidden />}
            {t(enabled ? 'admin.providers.disable' : 'admin.providers.enable')}
          </MenuItem>
          {enabled && (
            <MenuItem onSelect={() => change.mutate({ draining: !draining })}>
              <Hourglass aria-hidden />
              {t(draining ? 'admin.providers.undrain' : 'admin.providers.drain')}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem destructive onSelect={() => setOpen('delete')}>
            <Trash2 aria-hidden />
            {t('admin.providers.delete.action')}
          </MenuItem>
        </MenuContent>
      </Menu>
      <CheckDialog instance={instance} {...dialog('check')} />
      <DeleteInstanceDialog instance={instance} {...dialog('delete')} />
      <SendTestDialog instance={instance} {...dialog('send')} />
    </>
  )
}
