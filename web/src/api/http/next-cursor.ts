/** Reads the cursor of the next page from a `Link` header; undefined on the last page. */
export function nextCursor(link: string | null): string | undefined {
  const address = link?.match(/<([^>]*)>\s*;[^,]*\brel="?next"?/)?.[1]
  const query = address?.split('?')[1]
  return new URLSearchParams(query).get('cursor') ?? undefined
}
