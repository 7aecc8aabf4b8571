import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SeoKeywordOut } from '@/api/generated'
import type { Language } from '@/i18n/languages'
import { useFocusBack } from '@/lib/use-focus-back'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/dialog'
import { EmptyState } from '@/ui/states'
import { RowSkeletons, Unread } from '../unread'
import { useDeleteKeyword, useInitializeKeywords } from './changes'
import { KeywordTable } from './keyword-table'
import { keywordsQuery } from './queries'

const AddKeyword = lazy(() => import('./add-keyword'))

/** Where the focus goes when what had it is gone. */
const ADD = '[data-add-keyword]'

/** The keywords of a language, with what one does with them. */
export function Keywords({ language }: { language: Language }) {
  const { t } = useTranslation()
  const keywords = useQuery(keywordsQuery(language))
  const initialize = useInitializeKeywords(language)
  const remove = useDeleteKeyword(language)
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<SeoKeywordOut>()
  const rememberFocus = useFocusBack(adding || leaving !== undefined)
  if (keywords.isPending) return <RowSkeletons />
  if (!keywords.data) return <Unread query={keywords} />
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
      {keywords.data.length === 0 ? (
        <EmptyState title={t('admin.seo.empty.title')} body={t('admin.seo.empty.body')} action={buttons} />
      ) : (
        <>
          <div className="mb-4 flex justify-end">{buttons}</div>
          <KeywordTable
            keywords={keywords.data}
            onDelete={(keyword) => {
              rememberFocus(ADD)
              setLeaving(keyword)
            }}
          />
        </>
      )}
      {adding && (
        <Suspense>
          <AddKeyword language={language} onClose={() => setAdding(false)} />
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
