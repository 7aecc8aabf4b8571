import { diffLines, diffWordsWithSpace } from 'diff'
import { useTranslation } from 'react-i18next'

/** Characters. */
const LONG = 10_000

type Props = { before: unknown; after: unknown }

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
const isMissing = (value: unknown) => value === undefined || value === null || value === ''

/** One value before and after a change: what went is struck out, what came is underlined. */
export function ValueDiff({ before, after }: Props) {
  const { t } = useTranslation()
  if (isMissing(before) || isMissing(after)) {
    return (
      <p dir="auto" className="whitespace-pre-wrap break-words">
        <del className="bg-danger-soft text-danger">
          {isMissing(before) ? t(before === '' ? 'admin.audit.empty' : 'admin.audit.builtIn') : asText(before)}
        </del>{' '}
        <ins className="bg-ok-soft text-ok">
          {isMissing(after) ? t(after === '' ? 'admin.audit.empty' : 'admin.audit.builtIn') : asText(after)}
        </ins>
      </p>
    )
  }
  const [old, now] = [asText(before), asText(after)]
  // word by word takes too long for a whole page of HTML
  const parts = Math.max(old.length, now.length) > LONG ? diffLines(old, now) : diffWordsWithSpace(old, now)
  let place = 0
  return (
    <p dir="auto" className="max-h-96 overflow-y-auto whitespace-pre-wrap break-words">
      {parts.map(({ added, removed, value }) => {
        place += value.length
        const key = `${place} ${added} ${removed}`
        if (removed) {
          return (
            <del key={key} className="bg-danger-soft text-danger">
              {value}
            </del>
          )
        }
        return added ? (
          <ins key={key} className="bg-ok-soft text-ok">
            {value}
          </ins>
        ) : (
          <span key={key}>{value}</span>
        )
      })}
    </p>
  )
}
