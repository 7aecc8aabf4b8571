/** What the bundler knows of a module: the modules that import it at once. */
type ModuleGraph = { getModuleInfo(id: string): { importers: readonly string[] } | null }

const LANDING = /features\/landing\/landing\.tsx$/
const known = new Map<string, boolean>()

/** Whether a module is part of the landing page, without anything that comes later: visitors get no more than that. */
export function isOnLandingPage(id: string, graph: ModuleGraph): boolean {
  const before = known.get(id)
  if (before !== undefined) return before
  known.set(id, false) // modules may import each other
  const found =
    LANDING.test(id) ||
    (graph.getModuleInfo(id)?.importers.some((importer) => isOnLandingPage(importer, graph)) ?? false)
  known.set(id, found)
  return found
}
