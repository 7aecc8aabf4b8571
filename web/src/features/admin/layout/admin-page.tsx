import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/ui/overlay/menu'
import { internalLink, useNavGroups } from './navigation'

type Crumb = { to: '/admin/providers' | '/admin/users' | '/admin/plugins'; label: string }

type Props = {
  title: string
  lead?: string
  /** Stands beside the title. */
  aside?: ReactNode
  /** Pages above this one, the nearest last. */
  above?: readonly Crumb[]
  actions?: ReactNode
  children: ReactNode
}

/** One page of the administrators' area: crumbs, heading, content. */
export function AdminPage({ title, lead, aside, above = [], actions, children }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <div className="flex h-14 items-center gap-3 border-b border-line px-4 md:px-8">
        <PageMenu />
        <nav aria-label={t('admin.nav.crumbs')} className="min-w-0">
          <ol className="flex min-w-0 items-center gap-1.5 text-note text-ink-2">
            <li className="max-sm:hidden">{t('nav.admin')}</li>
            {above.map(({ to, label }) => (
              <Fragment key={to}>
                <Step className="max-sm:hidden" />
                <li className="shrink-0">
                  <Link to={to} className="hover:text-ink hover:underline">
                    {label}
                  </Link>
                </li>
              </Fragment>
            ))}
            <Step className={above.length === 0 ? 'max-sm:hidden' : undefined} />
            <li aria-current="page" className="truncate text-ink">
              <bdi>{title}</bdi>
            </li>
          </ol>
        </nav>
      </div>
      <div className="mx-auto max-w-6xl px-4 py-8 md:px-8">
        <div className="mb-8 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <h1 className="display text-3xl break-words">
                <bdi>{title}</bdi>
              </h1>
              {aside}
            </div>
            {lead && (
              <p className="mt-2 max-w-text text-sm leading-relaxed text-ink-2">
                <bdi>{lead}</bdi>
              </p>
            )}
          </div>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
        {children}
      </div>
    </>
  )
}

function Step({ className = '' }: { className?: string }) {
  return (
    <li aria-hidden className={className}>
      <ChevronRight className="size-3.5 text-ink-3 rtl:-scale-x-100" />
    </li>
  )
}

/** The sidebar's links where there is no room for it. */
function PageMenu() {
  const { t } = useTranslation()
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <Button variant="outline" size="sm" className="lg:hidden">
          {t('admin.nav.pages')}
          <ChevronDown />
        </Button>
      </MenuTrigger>
      <MenuContent align="start">
        {useNavGroups().flatMap(({ pages }) =>
          pages.map((page) => (
            <MenuItem key={page.to} asChild>
              <Link
                to={internalLink(page)}
                activeOptions={{ exact: page.to === '/admin', includeSearch: false }}
                activeProps={{ className: 'font-medium text-accent' }}
              >
                <page.icon aria-hidden />
                {t(page.title)}
              </Link>
            </MenuItem>
          )),
        )}
      </MenuContent>
    </Menu>
  )
}
