import { useSuspenseQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SeoKeywordOut } from '@/api/generated'
import type { Language } from '@/i18n/languages'
import { useReturnFocus } from '@/lib/hooks/use-return-focus'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { EmptyState } from '@/ui/states'
import { KeywordTable } from './keyword-table'
import { useDeleteKeyword, useInitializeKeywords } from './mutations'
import { keywordsQuery } from './queries'

const AddKeywordDialog = lazy(() => import('./add-keyword-dialog'))

/** Where the focus goes when what had it is gone. */
const ADD = '[data-add-keyword]'

/** The keywords of a language, with what one does with them. */
export function Keywords({ language }: { language: Language }) {
  const { t } = useTranslation()
  const { data: keywords } = useSuspenseQuery(keywordsQuery(language))
  const initialize = useInitializeKeywords(language)
  const remove = useDeleteKeyword(language)
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<SeoKeywordOut>()
  const rememberFocus = useReturnFocus(adding || leaving !== undefined)
  const buttons = (
    <div className="flex flex-wrap justify-center gap-2">
      <Button variant="outline" pending={initialize.isPending} onClick={() => initialize.mutate()}>
        {t('admin.seo.initialize')}
      </Button>
      <Button
        data-add-keyword
        onClick={() => {
          rememberFocus(ADD)
          setAdding(true)
        }}
      >
        <Plus aria-hidden />
        {t('admin.seo.add')}
      </Button>
    </div>
  )
  return (
    <>
      {keywords.length === 0 ? (
        <EmptyState title={t('admin.seo.empty.title')} body={t('admin.seo.empty.body')} action={buttons} />
      ) : (
        <>
          <div className="mb-4 flex justify-end">{buttons}</div>
          <KeywordTable
            keywords={keywords}
            onDelete={(keyword) => {
              rememberFocus(ADD)
              setLeaving(keyword)
            }}
          />
        </>
      )}
      {adding && (
        <Suspense>
          <AddKeywordDialog language={language} onClose={() => setAdding(false)} />
        </Suspense>
      )}
      <ConfirmDialog
        open={leaving !== undefined}
        onOpenChange={(open) => !open && !remove.isPending && setLeaving(undefined)}
        title={t('admin.seo.delete.title', { keyword: leaving?.keyword ?? '' })}
        description={t('admin.seo.delete.body')}
        confirm={t('admin.seo.delete.action')}
        destructive
        pending={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving, { onSettled: () => setLeaving(undefined) })}
      />
    </>
  )
}
