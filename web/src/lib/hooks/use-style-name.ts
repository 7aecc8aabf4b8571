import { useTranslation } from 'react-i18next'

/** What a style of lettering is called; blank for one that this page does not know. */
export function useStyleName(): (id: string) => string {
  const { t, i18n } = useTranslation()
  return (id) => {
    const key = `letteringStyle.${id}`
    return i18n.exists(key) ? t(key as 'letteringStyle.headline') : ''
  }
}
