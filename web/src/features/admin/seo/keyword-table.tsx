import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SeoKeywordOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Table, Td, Th } from '@/ui/table'

type Props = { keywords: readonly SeoKeywordOut[]; onDelete: (keyword: SeoKeywordOut) => void }

/** The keywords of a language, the most important first. */
export function KeywordTable({ keywords, onDelete }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Table caption={t('admin.seo.tab.keywords')}>
      <thead>
        <tr>
          <Th>{t('admin.seo.keyword')}</Th>
          <Th>{t('admin.seo.category.label')}</Th>
          <Th className="text-end">{t('admin.seo.density')}</Th>
          <Th className="text-end">{t('admin.seo.priority')}</Th>
          <Th>{t('admin.seo.placement.label')}</Th>
          <Th>
            <span className="sr-only">{t('admin.seo.delete.action')}</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {keywords.map((row) => (
          <tr key={row.id}>
            <Td className="min-w-40 font-medium">
              <bdi lang={row.language}>{row.keyword}</bdi>
            </Td>
            <Td className="whitespace-nowrap">{t(`admin.seo.category.${row.category}`)}</Td>
            <Td className="text-end tabular-nums">{format.number(row.density)}</Td>
            <Td className="text-end tabular-nums">{format.number(row.priority)}</Td>
            <Td className="whitespace-nowrap">{t(`admin.seo.placement.${row.placement}`)}</Td>
            <Td className="text-end">
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={t('admin.seo.delete.of', { keyword: row.keyword })}
                onClick={() => onDelete(row)}
              >
                <Trash2 />
              </Button>
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
