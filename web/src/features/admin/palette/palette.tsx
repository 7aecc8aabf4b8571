import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { BookImage, BookOpen, CircleHelp, Keyboard, ListTodo, UserRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { Dialog, DialogContent } from '@/ui/overlay/dialog'
import { internalLink, pageDescription, useNavGroups } from '../layout/navigation'
import { coverQuery, jobQuery, peopleQuery } from './queries'

/** Typing that has rested for so many milliseconds is searched for. */
const RESTED = 200
const item =
  'flex cursor-pointer items-center gap-3 rounded-md px-3 py-2.5 text-sm data-[selected=true]:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-3'
const group =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-2'

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The way to everything of the administrators' area: people, covers and jobs by id, pages, help. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const rested = useDebouncedValue(typed.trim(), RESTED)
  const { data: people = [] } = useQuery(peopleQuery(rested))
  const { data: cover } = useQuery(coverQuery(rested))
  const { data: job } = useQuery(jobQuery(rested))
  const words = plain(typed).split(/\s+/)
  const fits = (...texts: string[]) => {
    const all = plain(texts.join(' '))
    return words.every((word) => all.includes(word))
  }
  const groups = useNavGroups().map(({ title, pages }) => ({
    title,
    pages: pages.filter((page) => fits(t(page.title), t(pageDescription(page)))),
  }))
  const help = [
    { title: t('landing.footer.help'), Icon: CircleHelp, open: () => void navigate({ to: '/help' }) },
    { title: t('admin.plugins.write'), Icon: BookOpen, open: () => location.assign('/docs') },
    { title: t('shortcuts.title'), Icon: Keyboard, open: showShortcuts },
  ].filter(({ title }) => fits(title, t('admin.palette.help')))
  const go = (move: () => unknown) => () => {
    onClose()
    move()
  }
  const toPerson = (id: number, kind?: 'cover') => () =>
    void navigate({ to: '/admin/users/$id', params: { id: String(id) }, search: { kind } })
  const found = rested.length > 1 ? people : []
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={t('admin.palette.title')} className="top-[12dvh] max-w-xl translate-y-0">
        <Command shouldFilter={false} label={t('admin.palette.title')} loop>
          <Command.Input
            autoFocus
            dir="auto"
            value={typed}
            onValueChange={setTyped}
            placeholder={t('admin.palette.hint')}
            className="field h-12 w-full px-4"
          />
          <Command.List label={t('admin.palette.results')} className="mt-3 max-h-[50dvh] overflow-y-auto">
            <Command.Empty className="px-3 py-8 text-center text-sm text-ink-2">
              {t('admin.palette.nothing')}
            </Command.Empty>
            {found.length > 0 && (
              <Command.Group heading={t('admin.users.title')} className={group}>
                {found.map(({ id, email, firstName, lastName }) => (
                  <Entry key={id} value={`person ${id}`} icon={<UserRound aria-hidden />} onSelect={go(toPerson(id))}>
                    <bdi className="truncate">{[firstName, lastName].filter(Boolean).join(' ') || email}</bdi>
                    <bdi dir="ltr" className="ms-auto truncate text-xs text-ink-2">
                      {email}
                    </bdi>
                  </Entry>
                ))}
              </Command.Group>
            )}
            {cover && (
              <Command.Group heading={t('admin.person.kind.cover')} className={group}>
                <Entry
                  value={`cover ${cover.generationId}`}
                  icon={<BookImage aria-hidden />}
                  onSelect={go(toPerson(cover.userId, 'cover'))}
                >
                  <bdi className="truncate">{cover.title || cover.generationId}</bdi>
                  <bdi dir="ltr" className="ms-auto truncate text-xs text-ink-2">
                    {cover.email}
                  </bdi>
                </Entry>
              </Command.Group>
            )}
            {job && (
              <Command.Group heading={t('admin.jobs.title')} className={group}>
                <Entry
                  value={`job ${job.id}`}
                  icon={<ListTodo aria-hidden />}
                  onSelect={go(
                    () =>
                      void navigate({
                        to: '/admin/jobs',
                        search: { kind: job.kind, state: job.state, owner: job.owner ?? undefined },
                      }),
                  )}
                >
                  <span className="truncate">{t(`admin.jobs.kind.${job.kind}`)}</span>
                  <span className="ms-auto text-xs text-ink-2">{t(`admin.jobs.states.${job.state}`)}</span>
                </Entry>
              </Command.Group>
            )}
            {groups.map(
              ({ title, pages }) =>
                pages.length > 0 && (
                  <Command.Group key={title} heading={t(title)} className={group}>
                    {pages.map((page) => (
                      <Entry
                        key={page.to}
                        value={page.to}
                        icon={<page.icon aria-hidden />}
                        onSelect={go(() => void navigate({ to: internalLink(page) }))}
                      >
                        <span className="shrink-0">{t(page.title)}</span>
                        <span className="ms-auto truncate text-xs text-ink-2 max-sm:hidden">
                          {t(pageDescription(page))}
                        </span>
                      </Entry>
                    ))}
                  </Command.Group>
                ),
            )}
            {help.length > 0 && (
              <Command.Group heading={t('admin.palette.help')} className={group}>
                {help.map(({ title, Icon, open }) => (
                  <Entry key={title} value={`help ${title}`} icon={<Icon aria-hidden />} onSelect={go(open)}>
                    {title}
                  </Entry>
                ))}
              </Command.Group>
            )}
          </Command.List>
        </Command>
      </DialogContent>
    </Dialog>
  )
}

/** The sheet opens by its own key, once this dialog has gone. */
function showShortcuts() {
  setTimeout(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true })))
}

type EntryProps = { value: string; icon: ReactNode; onSelect: () => void; children: ReactNode }

function Entry({ value, icon, onSelect, children }: EntryProps) {
  return (
    <Command.Item value={value} onSelect={onSelect} className={item}>
      {icon}
      {children}
    </Command.Item>
  )
}
