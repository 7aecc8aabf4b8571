/** The one place that writes to the browser's console. */
export function log(message: string, ...details: unknown[]): void {
  // biome-ignore lint/suspicious/noConsole: for developers who look into a user's problem; nothing else listens here
  console.error(message, ...details)
}
