import type { CreateClientConfig } from './generated/client.gen'
import { send } from './http/send'

/** How every call of the generated client leaves the page. */
export const createClientConfig: CreateClientConfig = (config) => ({
  ...config,
  // one origin: the paths of the document are the paths of the page
  baseUrl: '',
  fetch: send,
  throwOnError: true,
})
