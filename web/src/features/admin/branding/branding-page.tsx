import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getBrandingOptions } from '@/api/generated/@tanstack/react-query.gen'
import { FormAlert } from '@/ui/form-alert'
import { Skeleton } from '@/ui/states'
import { AdminPage } from '../admin-page'
import { Unread } from '../unread'
import type { Use } from './changes'
import { FiguresCard } from './figures-card'
import { PictureCard } from './picture-card'

const uses = ['logo', 'favicon', 'footer-logo'] as const satisfies readonly Use[]

/** The logos, the page's icon, and the figures of the landing page. */
export function BrandingPage() {
  const { t } = useTranslation()
  const branding = useQuery(getBrandingOptions())
  const [denied, setDenied] = useState(false)
  const told = { onDenied: () => setDenied(true) }
  return (
    <AdminPage title={t('admin.branding.title')} lead={t('admin.branding.lead')}>
      {denied && (
        <div className="mb-6">
          <FormAlert>{t('admin.branding.privileges')}</FormAlert>
        </div>
      )}
      <div className="space-y-6">
        {branding.data ? (
          uses.map((use) => <PictureCard key={use} use={use} branding={branding.data} {...told} />)
        ) : branding.isError ? (
          <Unread query={branding} />
        ) : (
          <div role="status" aria-label={t('common.loading')} className="space-y-6">
            {uses.map((use) => (
              <Skeleton key={use} className="h-56 rounded-lg" />
            ))}
          </div>
        )}
        <FiguresCard {...told} />
      </div>
    </AdminPage>
  )
}
