// Tokens with a mark of their own, by maker.

export const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * In each line, two blanks apart: rule, source, the word itself as a pattern. Behind it, if it does not follow from the
 * beginning of the word, the `near` of the shape: texts, or a number.
 */
const table = String.raw`
1password  developer.1password.com: service accounts  ops_eyJ[\w+/=-]{100,2000}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}
adafruit  io.adafruit.com/api/docs  aio_[A-Za-z0-9]{28}
adobe  developer.adobe.com: client secrets  p8e-[\w-]{32}
adyen  docs.adyen.com: API credentials  AQE[a-z][\w+/]{40,300}={0,2}-[\w+/]{20,64}={0,2}-\S{8,40}
airtable  airtable.com/developers: tokens  pat[A-Za-z0-9]{14}\.[a-f0-9]{64}  64
aiven  aiven.io/docs: service users  AVNS_[\w-]{17,24}
akamai  techdocs.akamai.com: EdgeGrid  akab-[a-z0-9]{16}-[a-z0-9]{16}
alibaba  alibabacloud.com: AccessKey pairs  LTAI[A-Za-z0-9]{12,24}(?:["',:=\s]|[A-Za-z_ ]){1,60}[A-Za-z0-9]{30}
amazon  developer-docs.amazon.com: MWS tokens  amzn\.mws\.[0-9a-f-]{36}
amazon  developer.amazon.com: Login with Amazon, access and refresh tokens  Atz[ar]\|[\w-]{60,1000}
anaconda  docs.anaconda.com: tokens of channels  \/t\/(?:[a-z]{2}-)?[\w-]{20,60}(?=\/)
anthropic  docs.anthropic.com: API keys  sk-ant-(?:api|admin|oat|ort|sid)\d\d-[\w-]{60,130}
appsync  docs.aws.amazon.com: AppSync API keys  da2-[a-z0-9]{26}
appveyor  appveyor.com/docs: API tokens  v2\.(?=[a-z]{0,15}\d)[a-z0-9]{20}  20
asana  developers.asana.com: access tokens  \d\/\d{15,17}(?:\/\d{15,17})?:[a-f0-9]{32}  32
atlassian  support.atlassian.com: API tokens  AT[AC]TT3[\w=-]{60,250}
authress  authress.io/knowledge-base: service clients  (?:sc|ext|scauth|authress)_\w{5,30}\.\w{4,6}\.acc[_-][\w-]{10,32}\.[\w+/=-]{30,120}  .acc_ .acc-
aws  docs.aws.amazon.com: session tokens, Bedrock API keys  (?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/=]{100,900}|ABSK[A-Za-z0-9+/]{100,160}={0,2}
axiom  axiom.co/docs: tokens  xa[ap]t-${uuid}
azure  learn.microsoft.com: client secrets, identifiable keys  [\w~.]{3}\dQ~[\w~.-]{31,34}|[A-Za-z0-9]{70,76}JQQJ99[A-Za-z0-9]{4,40}|[A-Za-z0-9]{40,90}AZDO[A-Za-z0-9]{4}|[A-Za-z0-9+/]{30,80}\+?(?:ASt|ACR|AEh|ASb|AIoT|ACDb|APIM|AzFu|AzSe|AzCa)[A-Za-z0-9+/]{5,10}(?:={1,2})?  Q~ AZDO +ASt AzFu AzSe ACDb JQQJ99 +ACR APIM AIoT +AEh +ASb AzCa
backblaze  backblaze.com/docs: application keys  K00\d[A-Za-z0-9/+]{27}
baidu  cloud.baidu.com: API keys  bce-v3\/ALTAK-[A-Za-z0-9]{21}\/[0-9a-f]{40}
bannerbear  developers.bannerbear.com  bb_(?:ma|pr)_[a-f0-9]{30}
bitbucket  support.atlassian.com: app passwords  ATBB[A-Za-z0-9_=-]{20,60}|BBDC-[A-Za-z0-9+/@_-]{40,50}
bitwarden  bitwarden.com/help: access tokens  0\.${uuid}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}==  36
braintree  developer.paypal.com: access tokens  access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}
brevo  developers.brevo.com: API keys  x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}  sib-
buildkite  buildkite.com/docs: tokens  bk(?:ua|ct|at)_[A-Za-z0-9_-]{40,60}
cal  cal.com/docs: API keys  cal_(?:live_|test_)?[a-f0-9]{32}  36
cerebras  inference-docs.cerebras.ai  csk-[a-z0-9]{48}
circleci  circleci.com/docs: tokens  CCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}
clickhouse  clickhouse.com/docs: keys of the cloud  4b1d[A-Za-z0-9]{38}
clickup  developer.clickup.com: personal tokens  pk_\d{4,10}_[A-Z0-9]{32}  40
clojars  github.com/clojars: deploy tokens  CLOJARS_[a-z0-9]{60}
cloudflare  developers.cloudflare.com: origin CA keys, token formats  v1\.0-[a-f0-9]{24}-[a-f0-9]{146}|cf(?:k|ut|at)_[A-Za-z0-9]{40}[a-f0-9]{8}
cloudflare  developers.cloudflare.com: tunnel tokens  eyJhIjoi[A-Za-z0-9+/]{120,300}={0,2}
contentful  contentful.com/developers  CFPAT-[\w-]{43}
crates  doc.rust-lang.org/cargo: publishing  cio[A-Za-z0-9]{32}  35
databricks  docs.databricks.com: access tokens  (?:dapi|dose|dkea)[A-Fa-f0-9]{32}(?:-\d)?  36
defined  docs.defined.net: API keys  dnkey-[A-Z2-7]{26}-[A-Z2-7]{52}
digitalocean  docs.digitalocean.com: API tokens  do[oprt]_v1_[a-f0-9]{64}  _v1_
dingtalk  open.dingtalk.com: secrets of robots  SEC[0-9a-f]{64}
docker  docs.docker.com: access tokens  dckr_[po]at_[\w-]{27,40}
doppler  docs.doppler.com: token formats  dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}
dropbox  dropbox.com/developers: OAuth guide  sl\.(?:u\.)?[\w-]{100,2000}  100
dropbox  dropbox.com/developers: long-lived tokens  [a-z0-9]{11}AAAAAAAAAA[\w=-]{43}  AAAAAAAAAA
dynatrace  docs.dynatrace.com: tokens  dt0[a-z]\d\d\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}
easypost  docs.easypost.com: API keys  EZ[AT]K[A-Za-z0-9]{54}
ebay  developer.ebay.com: user tokens, certificate ids  v\^1\.1#i\^1#[\w^#=+/]{40,2000}|(?:PRD|SBX)-[0-9a-f]{12}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}
elevenlabs  elevenlabs.io/docs: API keys  sk_[a-f0-9]{48}  51
endor  docs.endorlabs.com: API keys  endr\+[A-Za-z0-9-]{16,40}
facebook  developers.facebook.com: access tokens  EAA(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{90,300}
facebook  developers.facebook.com: tokens of the explorer  EAACEdEose0cBA[A-Za-z0-9]{20,300}
fal  docs.fal.ai: API keys  ${uuid}:(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{32,64}  36
figma  figma.com/developers  fig[dou]_[\w-]{40,200}
firebase  firebase.google.com: server keys  AAAA[\w-]{7}:[\w-]{140}
firecrawl  docs.firecrawl.dev  (?<!-)fc-[a-f0-9]{32}  35
firehydrant  docs.firehydrant.com: bot tokens  fh[a-z]-?[0-9a-f]{64}  64
fireworks  docs.fireworks.ai  fw_[A-Za-z0-9]{22,26}
flutterwave  developer.flutterwave.com: API keys  FLWSECK(?:_TEST)?-(?:[a-h0-9]{12}|[A-Za-z0-9]{32}-X)
fly  fly.io/docs: tokens  fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/=,_-]{60,900}
frameio  developer.frame.io: tokens  fio-u-[\w-]{64}
gcp  cloud.google.com: API keys, OAuth 2.0  AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,600}|1\/\/0[\w-]{38,200}
gemini  docs.gemini.com: API keys  (?:master|account)-(?=[a-z]{0,19}[A-Z])(?=[A-Za-z]{0,19}\d)[A-Za-z0-9]{20}  27
ghost  ghost.org/docs: Admin API keys  [a-f0-9]{24}:[a-f0-9]{64}  64
github  docs.github.com: token formats  gh[oprsu]_\w{36,251}|ghs_\d{1,20}_eyJ[\w-]{10,1000}\.[\w-]{10,4000}\.[\w-]{20,1000}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}
gitlab  docs.gitlab.com: token overview  gl(?:pat|agent|cbt|dt|ffct|ft|imt|oas|ptt|rt|rtr|soat|wt)-[\w.-]{20,300}|GR1348941[\w-]{20}
gitlab  docs.gitlab.com: session cookies  _gitlab_session=[0-9a-z]{32}
grafana  grafana.com/docs: tokens  glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,400}|eyJrIjoi[A-Za-z0-9]{60,400}={0,2}
groq  console.groq.com/docs  gsk_[A-Za-z0-9]{48,56}
harness  developer.harness.io: API keys  [ps]at\.[\w-]{22}\.[a-f0-9]{24}\.[A-Za-z0-9]{20}  24
hashicorp  developer.hashicorp.com: Vault tokens, API tokens  hv[bsr]\.[\w-]{24,300}|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}  hvs. hvb. hvr. .atlasv1.
heroku  devcenter.heroku.com: authorizations  HRKU-[\w-]{36,70}
honeycomb  docs.honeycomb.io: API keys  hc[abcd](?:ik|ic|mk)_[a-z0-9]{58}
hubspot  developers.hubspot.com: private apps  pat-(?:na|eu|ap)\d-${uuid}
huggingface  huggingface.co/docs: access tokens  (?:hf_|api_org_)[A-Za-z0-9]{34,40}
infisical  infisical.com/docs: service tokens  st\.(?:${uuid}|[a-f0-9]{24})\.[a-f0-9]{32}\.[a-f0-9]{32}  32
inngest  inngest.com/docs: signing keys  signkey-(?:\w{2,20}-)?[a-f0-9]{64}
instagram  developers.facebook.com: Instagram  IGQV[\w-]{100,300}
intercom  developers.intercom.com: access tokens  dG9rO[A-Za-z0-9+/]{50,80}={0,2}
intra42  api.intra.42.fr: secrets of apps  s-s4t2(?:ud|af)-[a-f0-9]{64}
jfrog  jfrog.com/help: tokens  AKCp[A-Za-z0-9]{50,80}|cmVmdGtuOjAxOj[A-Za-z0-9]{40,60}
k3s  docs.k3s.io: tokens of servers  K10[0-9a-f]{64}::(?:\w{1,20}:)?[A-Za-z0-9.]{16,64}
klaviyo  developers.klaviyo.com: private keys  pk_[0-9a-f]{34}  37
langfuse  langfuse.com/docs  sk-lf-${uuid}
langsmith  docs.langchain.com: API keys  lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}
laravel  laravel.com/docs: tokens of Sanctum  \d{1,9}\|(?=[a-z\d]{0,39}[A-Z])(?=[A-Z\d]{0,39}[a-z])[A-Za-z0-9]{40,48}  40
launchdarkly  launchdarkly.com/docs: keys  (?:api|sdk)-${uuid}  40
linear  linear.app/developers  lin_(?:api|oauth)_[A-Za-z0-9]{32,128}
linkedin  learn.microsoft.com/linkedin: client secrets  WPL_AP\d\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/]{4,8}={0,2}
livechat  platform.text.com: personal access tokens  (?:dal|fra|us-south1|europe-west3):[\w-]{20,60}
mailchimp  mailchimp.com/developer: API keys  [a-f0-9]{32}-us\d{1,2}  36
mailgun  documentation.mailgun.com: API keys  (?<!-)key-[a-f0-9]{32}|[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?!-)  36
mapbox  docs.mapbox.com: access tokens  sk\.eyJ[\w-]{30,200}\.[\w-]{20,30}
matrix  element-hq.github.io/synapse: access tokens  syt_[\w-]{3,100}_[A-Za-z]{20}_[A-Za-z0-9]{6}
maxmind  dev.maxmind.com: license keys  [A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk  _mmk
modal  modal.com/docs: token secrets  as-[A-Za-z0-9]{22}  25
mollie  docs.mollie.com: API keys  (?:live|test)_[A-Za-z0-9]{30}  35
nats  docs.nats.io: seeds of NKeys  S[ACNOUX](?=[A-Z]{0,40}\d)[A-Z2-7]{56}  58
netlify  docs.netlify.com: access tokens  nf[pou]_[A-Za-z0-9]{36}
newrelic  docs.newrelic.com: API keys  NRAK-[A-Z0-9]{27}|NRII-[\w-]{32}|[a-f0-9]{36}NRAL|[a-z]{2}\d\dxx[a-f0-9]{30}NRAL  NRAK- NRII- NRAL
newrelic  docs.newrelic.com: older keys, Pixie  NR(?:RA-[a-f0-9]{42}|AA-[a-f0-9]{27}|IQ-[\w-]{25,32})|px-(?:api|dep)-${uuid}  NRRA- NRAA- NRIQ- px-
ngrok  ngrok.com/docs: authtokens  [12][A-Za-z0-9]{26}_[A-Za-z0-9]{20,22}  47
nightfall  docs.nightfall.ai: API keys  NF-[A-Za-z0-9]{32}
nostr  NIP-19  nsec1[02-9ac-hj-np-z]{58}
notify  docs.notifications.service.gov.uk: API keys  \w{2,60}-${uuid}-${uuid}  75
notion  developers.notion.com: authentication  ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43}  44
npm  docs.npmjs.com: access tokens  npm_[A-Za-z0-9]{36}
nuget  learn.microsoft.com: NuGet API keys  oy2[a-z0-9]{43}
nvidia  docs.nvidia.com: API keys  nvapi-[\w-]{60,70}
octopus  octopus.com/docs: API keys  API-[A-Z0-9]{25,36}  29
okta  developer.okta.com: API tokens  (?<![+/])00(?!(?:\w*-){4})(?=[\w-]{0,20}[A-Z])(?=[\w-]{0,20}[a-z])[\w-]{40}(?![+/=])  42
openai  platform.openai.com: API keys  sk-(?:(?:proj|svcacct|admin|None)-)?[\w-]{0,100}T3BlbkFJ[\w-]{20,100}|sk-(?:proj|svcacct|admin)-[\w-]{40,200}|sk-[A-Za-z0-9]{32,64}
openrouter  openrouter.ai/docs  sk-or-v1-[a-f0-9]{64}
openshift  docs.openshift.com: OAuth tokens  sha256~[\w-]{43}
paddle  developer.paddle.com: API keys  pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}  _apikey_
pagerduty  developer.pagerduty.com: user tokens  (?<![+/])u\+(?=[A-Za-z_-]{0,16}\d)[\w-]{18}(?![+/=-])
panos  docs.paloaltonetworks.com: API keys  LUFRPT[A-Za-z0-9+/]{40,200}={0,2}
perplexity  docs.perplexity.ai  pplx-[A-Za-z0-9]{40,60}
pinecone  docs.pinecone.io: API keys  pcsk_[A-Za-z0-9]{5,8}_[A-Za-z0-9]{50,70}
plaid  plaid.com/docs: access tokens  access-(?:production|development|sandbox)-${uuid}
planetscale  planetscale.com/docs: service tokens  pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}
portainer  docs.portainer.io: access tokens  ptr_[A-Za-z0-9/+]{43}=
posthog  posthog.com/docs: personal API keys  phx_[A-Za-z0-9]{40,60}
postman  learning.postman.com: API keys  PMAK-[a-f0-9]{24}-[a-f0-9]{34}
prefect  docs.prefect.io: API keys  pn[ub]_[A-Za-z0-9]{36}
pubnub  pubnub.com/docs: secret keys  sec-c-[A-Za-z0-9]{44,54}
pulumi  pulumi.com/docs: access tokens  pul-[a-f0-9]{40}
pushbullet  docs.pushbullet.com: access tokens  o\.(?=[A-Za-z]{0,31}\d)(?=\w{0,31}[A-Z])[A-Za-z0-9]{32}  32
pypi  pypi.org/help: API tokens  pypi-AgE[\w-]{50,300}
rancher  ranchermanager.docs.rancher.com: API keys  token-[a-z0-9]{5}:[a-z0-9]{54}
rapidapi  docs.rapidapi.com: keys  [0-9a-f]{10}msh[0-9a-f]{15}p1[0-9a-f]{5}jsn[0-9a-f]{12}  50
readme  docs.readme.com: API keys  rdme_[a-z0-9]{70}
render  render.com/docs: API keys  rnd_[A-Za-z0-9]{26,34}
replicate  replicate.com/docs: API tokens  r8_[A-Za-z0-9]{37}
resend  resend.com/docs: API keys  re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{22,26}  32
riot  developer.riotgames.com  RGAPI-${uuid}
rubygems  guides.rubygems.org: API keys  rubygems_[a-f0-9]{48}
salesforce  developer.salesforce.com: session ids  00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,200}  !A
salesforce  help.salesforce.com: refresh tokens  5Aep861[\w.=]{60,90}
sanity  sanity.io/docs: robot tokens  (?<![+/])sk(?=[a-z]{0,20}[A-Z0-9])[A-Za-z0-9]{80,200}(?![+/=])  82
scalingo  developers.scalingo.com  tk-us-[\w-]{48}
secret-token  RFC 8959: URIs of secrets  secret-token:[\w.~%-]{16,120}
sendgrid  twilio.com/docs/sendgrid  SG\.[\w-]{20,24}\.[\w-]{39,50}
sentry  docs.sentry.io: auth tokens  sntrys_eyJ[\w+/=]{40,400}|sntryu_[a-f0-9]{64}
shippo  docs.goshippo.com: API keys  shippo_(?:live|test)_[a-f0-9]{40}
shopify  shopify.dev: access tokens  shp(?:at|ca|pa|ss|tka|rt|ua)_[A-Za-z0-9]{32,64}
slack  docs.slack.dev: tokens  xox[a-eoprs](?:[.-][A-Za-z0-9]{1,200}){2,6}|xapp-\d-[A-Z0-9]{8,14}-\d{9,14}-[a-f0-9]{40,70}
sonar  docs.sonarsource.com: tokens  sq[puqa]_[a-f0-9]{40}  44
sourcegraph  sourcegraph.com/docs: access tokens  sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}|slk_[a-f0-9]{64}
square  developer.squareup.com: access tokens  EAAA[\w-]{60}|sq0[a-z]{3}-[\w-]{22,43}
stackhawk  docs.stackhawk.com: API keys  hawk\.[\w-]{20}\.[\w-]{20}
stellar  stellar.org: SEP-23, seeds  S(?=[A-Z]{0,40}\d)[A-Z2-7]{55}  56
stripe  docs.stripe.com/keys  (?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,247}|whsec_[A-Za-z0-9+/]{32,64}
supabase  supabase.com/docs: API keys  sbp_[a-f0-9]{40}|sb_secret_[\w-]{24,40}
tailscale  tailscale.com/kb: keys  tskey-[a-z]{3,12}-[A-Za-z0-9_-]{16,60}
teams  microsoft.com: Teams incoming webhooks  webhook\.office\.com\/webhookb2\/[0-9a-f-]{36}@[0-9a-f-]{36}\/IncomingWebhook\/[0-9a-f]{32}\/[0-9a-f-]{36}\S{0,60}
teamwork  apidocs.teamwork.com: tokens  tkn\.v1_[A-Za-z0-9]{60,90}={0,2}
telegram  core.telegram.org/bots  (?:bot)?\d{8,10}:AA[\w-]{32,33}  :AA
telnyx  developers.telnyx.com: API keys  KEY[A-F0-9]{32}_[A-Za-z0-9]{22}  58
tencent  cloud.tencent.com: SecretId, SecretKey  AKID[A-Za-z0-9]{32}(?:["',:=\s]|[A-Za-z_ ]){1,40}[A-Za-z0-9]{32}
tezos  octez.tezos.com: secret keys  edsk[1-9A-HJ-NP-Za-km-z]{50,94}
thethings  thethingsindustries.com/docs: API keys  NNSXS\.[A-Z2-7]{39}\.[A-Z2-7]{52}
trello  developer.atlassian.com: Trello  ATTA[a-fA-F0-9]{60,76}
trigger  trigger.dev/docs: API keys  tr_(?:dev|prod|stg|preview)_[A-Za-z0-9]{20,24}  27
twilio  twilio.com/docs: API keys  SK[0-9a-f]{32}  34
twitch  dev.twitch.tv: tokens of chats  oauth:[a-z0-9]{30}
twitter  docs.x.com: bearer and access tokens  A{20,24}[A-Za-z0-9%]{20,70}%3D[A-Za-z0-9]{40,60}|\d{6,19}-(?=[a-z\d]{0,39}[A-Z])(?=[A-Z\d]{0,39}[a-z])[A-Za-z0-9]{40}  40
typeform  typeform.com/developers  tfp_[\w.=-]{40,70}
ubidots  docs.ubidots.com: tokens  BB(?:FF|US)-[A-Za-z0-9]{30,40}
uptimerobot  uptimerobot.com/api: keys  (?:u|m|ur)\d{5,9}-[0-9a-f]{24}  30
vercel  vercel.com/docs: token formats  vc[pkiar]_[A-Za-z0-9]{20,60}
viber  developers.viber.com: tokens of bots  [0-9a-z]{16}-[0-9a-z]{16}-[0-9a-z]{16}  50
wix  dev.wix.com: API keys  IST\.eyJ[\w-]{20,400}\.[\w-]{20,2000}\.[\w-]{20,600}
woocommerce  woocommerce.github.io: consumer secrets  cs_[0-9a-f]{40}  43
xai  docs.x.ai: API keys  xai-[A-Za-z0-9]{70,90}
yandex  yandex.cloud/docs: API keys, IAM tokens  AQVN[\w-]{35,38}|t1\.[\w-]{60,400}={0,2}\.[\w-]{86}={0,2}|y[0123456]_[\w-]{50,60}
zhipu  docs.bigmodel.cn: API keys  [0-9a-f]{32}\.(?=[A-Za-z]{0,12}\d)[A-Za-z0-9]{16}  32
zoho  zoho.com/accounts: OAuth tokens  100[01]\.[a-f0-9]{32}\.[a-f0-9]{32}
`;

/** `near` is missing: it follows from the beginning of the word. */
export type TokenRow = { rule: string; source: string; inner: string; near?: readonly string[] | number };

export const tokenRows: readonly TokenRow[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [rule = '', source = '', inner = '', near] = line.split('  ');
    if (near === undefined) return { rule, source, inner };
    return { rule, source, inner, near: /^\d+$/.test(near) ? Number(near) : near.split(' ') };
  });
