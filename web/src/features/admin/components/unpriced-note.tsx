import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PRICES } from '../prices'

/** That a budget cannot be kept where nobody knows beforehand what a picture costs, and the way to say it. */
export function UnpricedNote({ id, isHere = false }: { id: string; isHere?: boolean }) {
  const { t } = useTranslation()
  const label = t('admin.budgets.setPrice')
  return (
    <span className="block text-warn">
      {t('admin.budgets.unpriced')}{' '}
      {isHere ? (
        // no link: following one would ask about unsaved settings of the page
        <button type="button" className="cursor-pointer underline" onClick={focusPrice}>
          {label}
        </button>
      ) : (
        <Link to="/admin/providers/$id" params={{ id }} hash={PRICES} className="underline">
          {label}
        </Link>
      )}
    </span>
  )
}

function focusPrice(): void {
  document.getElementById(PRICES)?.querySelector('input')?.focus()
}
