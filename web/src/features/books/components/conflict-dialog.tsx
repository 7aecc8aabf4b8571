import { useTranslation } from 'react-i18next'
import type { BookOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { useFormName } from '../hooks/use-form-name'
import { changesOf, type Draft, draftOf, type FactName } from '../model/draft'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  mine: Draft
  /** What was saved meanwhile; undefined until it is here. */
  theirs: BookOut | undefined
  onMine: () => void
  onTheirs: () => void
}

/** Two tabs have changed one book: what differs is shown side by side, and one is chosen. */
export function ConflictDialog({ open, onOpenChange, mine, theirs, onMine, onTheirs }: Props) {
  const { t } = useTranslation()
  const nameOf = useFormName()
  const newer = theirs && draftOf(theirs)
  const changes = newer && changesOf(newer, mine)
  const facts = Object.keys(changes?.facts ?? {}) as FactName[]
  const editions = [...(changes?.put.map(([name]) => name) ?? []), ...(changes?.removed ?? [])]
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t('books.conflict.title')} description={t('books.conflict.body')} className="max-w-xl">
        {newer && (
          <div className="overflow-y-auto" style={{ maxHeight: '45dvh' }}>
            <table className="w-full border-collapse text-sm">
              <thead>
                <tr className="border-b border-line text-start text-ink-2">
                  <td className="w-1/4" />
                  <th scope="col" className="py-2 pe-3 text-start font-medium">
                    {t('books.conflict.yours')}
                  </th>
                  <th scope="col" className="py-2 text-start font-medium">
                    {t('books.conflict.newer')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {facts.map((name) => (
                  <tr key={name} className="border-b border-line" style={{ verticalAlign: 'top' }}>
                    <th scope="row" className="py-2 pe-3 text-start font-normal text-ink-2">
                      {t(name === 'pages' ? 'books.pages' : `books.facts.${name}`)}
                    </th>
                    <Value value={mine.facts[name]} />
                    <Value value={newer.facts[name]} />
                  </tr>
                ))}
                {editions.map((name) => {
                  const [printer = '', binding] = name.split('-')
                  const form = binding
                    ? { kind: binding as 'paperback', printer }
                    : { kind: name as 'ebook', printer: '' }
                  return (
                    <tr key={name} className="border-b border-line" style={{ verticalAlign: 'top' }}>
                      <th scope="row" className="py-2 pe-3 text-start font-normal text-ink-2">
                        {nameOf(form)}
                      </th>
                      <Value value={settingsOf(mine, name)} />
                      <Value value={settingsOf(newer, name)} />
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        )}
        <DialogFooter>
          <Button variant="outline" disabled={!theirs} onClick={onTheirs}>
            {t('books.conflict.theirs')}
          </Button>
          <Button disabled={!theirs} onClick={onMine}>
            {t('books.conflict.mine')}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

const settingsOf = (draft: Draft, name: string) => {
  const settings = draft.editions[name]
  return settings ? [settings.trim, settings.paper, settings.isbn].filter(Boolean).join(' · ') || '✓' : '–'
}

function Value({ value }: { value: string | number | null }) {
  return (
    <td dir="auto" className="py-2 pe-3 break-words whitespace-pre-line">
      {value === null || value === '' ? '–' : value}
    </td>
  )
}
