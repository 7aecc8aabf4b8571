/** The path to go on to after signing in, if it stays on this site; else the home page. */
export function safeRedirect(wanted: string | undefined): string {
  if (!wanted?.startsWith('/')) return '/'
  // resolving it as the browser would catches "//other.example", "/\other.example" and their relatives
  const url = new URL(wanted, window.location.origin)
  return url.origin === window.location.origin ? url.pathname + url.search + url.hash : '/'
}
