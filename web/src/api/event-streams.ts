/**
 * Stands in for the generated client's event streams, which weigh on every first visit and which nothing calls:
 * generations are followed through the browser's own EventSource.
 */
export function createSseClient(): never {
  throw new Error('Event streams are read by EventSource')
}
