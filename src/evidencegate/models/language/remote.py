"""Models over the network, by pydantic-ai: OpenAI, Anthropic, Google, and any address that speaks as one of them.

Keys come from the environment or the system's keyring, never from a command line or a file, and a provider's key is
never sent to another address. The reply is read as a stream, so that a model that falls silent is noticed.
"""

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr, ValidationError

from evidencegate._extras import require
from evidencegate.errors import EvidenceGateError, InvalidInput, UnknownName
from evidencegate.models.language._types import BadReply, ModelRefused, ModelUnreachable, Prompt, Reply, S
from evidencegate.runs import Usage
from evidencegate.settings import base_url, load

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

__all__ = ["PROVIDERS", "Remote"]

PROVIDERS = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}
"""Each provider, and the variables in which its own key is looked for."""
_LIBRARIES = {"openai": "openai", "anthropic": "anthropic", "google": "google.genai"}
OWN_KEY = "EVIDENCEGATE_MODEL_API_KEY"
"""The key for an address of one's own (`--base-url`)."""
OUTPUT = "EVIDENCEGATE_MODEL_OUTPUT"
"""How a reply is asked for: `tool` (default), `native` (a JSON schema) or `prompted`, for servers without tools."""
_OUTPUTS = ("tool", "native", "prompted")
_KEYRING = "evidencegate"
_MOST_TOKENS = 8_192
_REFUSED = (400, 401, 402, 403, 404, 405, 413, 415, 422)
_REDACTED = "[key]"


@dataclass(frozen=True, slots=True)
class Remote:
    """`provider:model`, optionally at an address of one's own."""

    provider: str
    model: str
    base_url: str | None = None
    key: SecretStr | None = None
    silence_seconds: float = 30.0
    """Without a byte of the reply."""
    most_tokens: int = _MOST_TOKENS
    output: str = "tool"

    def __post_init__(self) -> None:
        if self.provider not in PROVIDERS:
            raise UnknownName(f"there is no provider {self.provider!r}; known are {', '.join(PROVIDERS)}")
        if self.base_url is not None:
            try:
                base_url(self.base_url)
            except ValueError as error:
                raise InvalidInput(str(error)) from None
        if self.output not in _OUTPUTS:
            raise InvalidInput(f"{OUTPUT} is one of {', '.join(_OUTPUTS)}")

    @classmethod
    def named(cls, provider: str, model: str, *, at: str | None = None) -> "Remote":
        """The model with its key, from the environment or the keyring.

        Raises:
            UnknownName: there is no such provider.
            InvalidInput: there is no key for it; the message says where one is looked for.
            MissingExtra: the extra `llm` is not installed.
        """
        known = cls(provider, model, at, output=os.environ.get(OUTPUT) or "tool")
        for module in ("pydantic_ai", _LIBRARIES[provider]):
            require("llm", module)
        key = _key(provider, at)
        if key is None and at is None:
            names = " or ".join(PROVIDERS[provider])
            raise InvalidInput(
                f"no key for {provider}: set {names} in the environment, or keep one in the keyring "
                f"(keyring set {_KEYRING} {provider})"
            )
        return replace(known, key=key)

    @property
    def name(self) -> str:
        """`provider:model`."""
        return f"{self.provider}:{self.model}"

    async def complete(self, prompt: Prompt, schema: type[S]) -> Reply[S]:
        """See `LanguageModel.complete`."""
        try:
            return await self._completed(prompt, schema)
        except EvidenceGateError:
            raise
        except Exception as error:  # noqa: BLE001  # what the provider's library stumbles over is no reply
            stumbled = f"{type(error).__name__}: {self._said(error)}"
            raise BadReply(f"{self.name} sent what cannot be read as a reply ({stumbled})", "") from None

    async def _completed(self, prompt: Prompt, schema: type[S]) -> Reply[S]:
        for module in ("pydantic_ai", _LIBRARIES[self.provider]):
            require("llm", module)
        import httpx2
        from pydantic_ai import Agent
        from pydantic_ai.exceptions import (
            ContentFilterError,
            ModelAPIError,
            ModelHTTPError,
            UnexpectedModelBehavior,
            UsageLimitExceeded,
        )
        from pydantic_ai.exceptions import UserError as Misused

        async with self._client() as client:
            agent = Agent(
                self._model(client),
                output_type=self._output(schema),
                instructions=prompt.instructions,
                retries=0,
                model_settings={"max_tokens": self.most_tokens},
            )
            try:
                async with agent.run_stream(prompt.user_text() or "Begin.") as stream:
                    value = await stream.get_output()
                    return Reply(value=value, usage=self._usage(stream), raw=value.model_dump_json())
            except ContentFilterError as error:
                raise ModelRefused(self._said(error)) from None
            except ModelHTTPError as error:
                kind = ModelRefused if error.status_code in _REFUSED else ModelUnreachable
                raise kind(f"{self.name} answered with status {error.status_code}: {self._said(error)}") from None
            except (ValidationError, UnexpectedModelBehavior, UsageLimitExceeded) as error:
                raise BadReply(f"{self.name}: {self._said(error)}", self._raw(error)) from None
            except (ModelAPIError, httpx2.HTTPError, httpx2.StreamError, OSError) as error:
                raise ModelUnreachable(f"{self.name} could not be read: {self._said(error)}") from None
            except Misused as error:
                raise ModelRefused(f"{self.name}: {self._said(error)}") from None

    def _client(self) -> "httpx2.AsyncClient":
        import httpx2

        timeout = httpx2.Timeout(self.silence_seconds, connect=load().connect_seconds)
        try:
            return httpx2.AsyncClient(timeout=timeout, follow_redirects=False)
        except (ImportError, OSError, ValueError, httpx2.InvalidURL) as error:
            raise ModelUnreachable(
                f"{self.name} cannot be reached: the proxy or the certificates that the environment names cannot be "
                f"used ({type(error).__name__}); see HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE and SSL_CERT_DIR"
            ) from None

    def _model(self, client: "httpx2.AsyncClient") -> "Model":
        key = self.key.get_secret_value() if self.key else "none"
        if self.provider == "anthropic":
            from anthropic import AsyncAnthropic
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            served = AsyncAnthropic(api_key=key, base_url=self.base_url, http_client=client, max_retries=0)
            return AnthropicModel(self.model, provider=AnthropicProvider(anthropic_client=served))
        if self.provider == "google":
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            return GoogleModel(
                self.model, provider=GoogleProvider(api_key=key, base_url=self.base_url, http_client=client)
            )
        from openai import AsyncOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        chat = AsyncOpenAI(api_key=key, base_url=self.base_url, http_client=client, max_retries=0)
        return OpenAIChatModel(self.model, provider=OpenAIProvider(openai_client=chat))

    def _output(self, schema: type[S]) -> Any:
        """How the schema is asked for."""
        from pydantic_ai import NativeOutput, PromptedOutput, ToolOutput

        kinds: dict[str, Any] = {"tool": ToolOutput, "native": NativeOutput, "prompted": PromptedOutput}
        return kinds[self.output](schema)

    def _usage(self, stream: Any) -> Usage:
        """Tokens as the server counts them, and their price by the public list, 0 where that has none."""
        used = stream.usage
        try:
            price = float(stream.response.cost().total_price)
        except (LookupError, ValueError, AssertionError):
            price = 0.0
        return Usage(
            requests=max(1, used.requests),
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            money=price,
        )

    def _said(self, error: BaseException) -> str:
        """What an error says, on one short line, without the key."""
        text = " ".join(str(error).split())
        if self.key is not None:
            text = text.replace(self.key.get_secret_value(), _REDACTED)
        return text[:300] or type(error).__name__

    def _raw(self, error: BaseException) -> str:
        """The reply behind an error, for the trace."""
        body = getattr(error, "body", None) or str(error.__cause__ or error)
        return body.replace(self.key.get_secret_value(), _REDACTED) if self.key else body


def _key(provider: str, at: str | None) -> SecretStr | None:
    """The provider's own key; at another address that address's key and no other."""
    for name in (OWN_KEY,) if at is not None else PROVIDERS[provider]:
        found = os.environ.get(name, "").strip()
        if any(not 33 <= ord(character) <= 126 for character in found):
            # It goes into an HTTP header.
            raise InvalidInput(f"{name}: a key holds printable ASCII characters only")
        if found:
            return SecretStr(found)
    return _from_keyring(provider if at is None else at)


def _from_keyring(user: str) -> SecretStr | None:
    """A key from the system's keyring, where the package `keyring` is installed and has one."""
    try:
        import keyring
    except ImportError:
        return None
    try:
        found = keyring.get_password(_KEYRING, user)
    except keyring.errors.KeyringError:
        return None
    return SecretStr(found) if found else None
