// A real OpenID Connect issuer for tests: node issuer.mjs <port> <redirect address> <home page>
// Whoever types a name signs in as that person. A name that begins with "unverified" has an unverified address.
import { Provider } from 'oidc-provider'

const [port, redirectUri, home] = process.argv.slice(2)

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'coverwright',
      client_secret: 'a secret: with + and / in it',
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [home],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
  findAccount: (_context, name) => ({
    accountId: name,
    claims: () => ({
      sub: name,
      email: `${name.replace(/^unverified-/, '')}@example.com`,
      email_verified: !name.startsWith('unverified'),
      given_name: name,
      family_name: 'Lovelace',
    }),
  }),
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true } },
  cookies: { keys: ['only for tests'] },
})

provider.listen(Number(port), '127.0.0.1')
